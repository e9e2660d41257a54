import ComposableEnvironment
import Testing

// The code of the guide Composing environments, word for word; `ReadmeTests` compares the two.

struct SearchEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.apiClient) var client
  @DerivedEnvironment<ResultsEnvironment> var results
}

struct ResultsEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.retryLimit) var limit
}

struct TabsEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<SearchEnvironment> var search
  @DerivedEnvironment var hasty = SearchEnvironment().with(\.retryLimit, 1)
}

struct PageEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  var pageSize = 20

  mutating func adopt(from other: Self) {
    pageSize = other.pageSize
  }
}

@Suite("Snippets of Composing environments")
struct ComposingEnvironmentsSnippets {
  @Test("an override of an environment")
  func overriding() {
    let search = SearchEnvironment()
    let patient = search.with(\.retryLimit, 10)
    assert(patient.retryLimit == 10)
    assert(patient.results.limit == 10)
    assert(search.results.limit == 3)  // the original is unchanged
    patient.scope.run {
      assert(DependencyScope.current.retryLimit == 10)
    }
  }

  @Test("an override of a child")
  func overridingAChild() {
    var tabs = TabsEnvironment()
    tabs.search.results[\.retryLimit] = 8
    tabs[\.retryLimit] = 9
    assert(tabs.search.retryLimit == 9)
    assert(tabs.search.results.limit == 8)
    assert(tabs.hasty.results.limit == 1)
  }

  @Test("a stored property is adopted")
  func adoption() {
    #expect(PageEnvironment(pageSize: 50).with(\.retryLimit, 1).pageSize == 50)
  }
}
