import ComposableEnvironment

extension Dependencies {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

struct Aliasing: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Child>(aliases: {
    // error: cannot convert value of type 'WritableKeyPath<Dependencies, Client>' to expected
    //   argument type 'WritableKeyPath<Dependencies, Int>'
    $0.alias(\.limit, to: \.client)
  })
  var child
}

func alias(_ feature: Feature) {
  // error: cannot convert value of type 'WritableKeyPath<Dependencies, Client>' to expected
  //   argument type 'WritableKeyPath<Dependencies, Int>'
  feature.aliasing(\.limit, to: \.client)
}
