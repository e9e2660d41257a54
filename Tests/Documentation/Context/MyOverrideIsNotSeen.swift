private struct Fetcher {
  @Dependency(\.retryLimit) var retryLimit
}

private final class Shop: DependencyKey, Sendable {
  static var defaultValue: Shop { Shop() }
  let scope = DependencyScope.current
}

extension Dependencies {
  fileprivate var shop: Shop {
    get { self[Shop.self] }
    set { self[Shop.self] = newValue }
  }
}

@Test("the causes in the table of My override isn't seen", .ownDependencies)
private func causes() async {
  let early = Fetcher()
  await withDependencies {
    $0.retryLimit = 5
    $0.shop = Shop()
  } operation: {
    #expect(Fetcher().retryLimit == 5)
    #expect(early.retryLimit == 3)
    #expect(DependencyScope.current.shop.scope.retryLimit == 3)
    #expect(await Task.detached { Fetcher().retryLimit }.value == 3)
  }
  withDependencies {
    $0.retryLimit = 5
    $0.shop = $0.shop
  } operation: {
    #expect(DependencyScope.current.shop.scope.retryLimit == 5)
  }
}
