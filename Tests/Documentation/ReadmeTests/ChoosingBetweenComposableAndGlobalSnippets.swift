import ComposableEnvironment
import GlobalEnvironment
import Testing

struct DocumentEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.retryLimit) var retryLimit
}

struct AppSettings: GlobalEnvironment {}

struct MainEnvironment: GlobalEnvironment {
  @DerivedEnvironment<DocumentEnvironment> var document
}

@Suite("Snippets of Choosing between composable and global")
struct ChoosingBetweenComposableAndGlobalSnippets {
  @Test("composable")
  func composable() async {
    let draft = DocumentEnvironment()
    let shared = draft.with(\.retryLimit, 10)
    assert(draft.retryLimit == 3)
    assert(shared.retryLimit == 10)
    let task = Task.detached { shared.retryLimit }
    let captured = await task.value
    assert(captured == 10)
  }

  @Test("global")
  func global() {
    DependencyScope.isolated().run {
      let draft = DocumentEnvironment()
      let shared = draft.with(\.retryLimit, 10)
      AppSettings().with(\.retryLimit, 8)
      assert(AppSettings().retryLimit == 8)
      assert(draft.retryLimit == 8)  // live, though it was created before
      assert(shared.retryLimit == 10)  // an override wins
    }
  }

  @Test("both")
  func both() {
    let main = withDependencies {
      $0.retryLimit = 7
    } operation: {
      MainEnvironment()
    }
    assert(main.document.retryLimit == 7)
    assert(main.retryLimit == 3)
  }
}
