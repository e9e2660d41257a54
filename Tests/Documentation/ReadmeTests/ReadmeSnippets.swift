import ComposableEnvironment
import ComposableTesting
import Testing

// The README's code, in its order, word for word; `ReadmeTests` compares the two.

enum RetryLimitKey: DependencyKey { static let defaultValue = 3 }

extension Dependencies {
  var retryLimit: Int {
    get { self[RetryLimitKey.self] }
    set { self[RetryLimitKey.self] = newValue }
  }
}

struct Uploader {
  @Dependency(\.retryLimit) var retryLimit
}

private enum UserIDKey: DependencyKey { static let defaultValue = "" }

extension Dependencies {
  fileprivate var userID: String {
    get { self[UserIDKey.self] }
    set { self[UserIDKey.self] = newValue }
  }
}

func handle(_ request: Request, from user: String) async throws -> Response {
  try await withDependencies {
    $0.userID = user
  } operation: {
    try await answer(request)  // reads `userID`, in every task that it creates
  }
}

/// Answers with the user that a task created here reads.
private func answer(_ request: Request) async throws -> Response {
  async let user = DependencyScope.current.userID
  return await Response(text: user)
}

private actor Account {
  private(set) var balance: Int

  init(balance: Int) { self.balance = balance }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    balance -= amount
    await Task.yield()
  }
}

@Suite("Snippets of the README")
struct ReadmeSnippets {
  @Test("the example at the top")
  func example() {
    withDependencies {
      $0.retryLimit = 5
    } operation: {
      assert(Uploader().retryLimit == 5)  // here, and in every task created here
    }
    assert(Uploader().retryLimit == 3)
  }

  @Test(.dependencies { $0.retryLimit = 1 })
  func triesOnce() {
    #expect(Uploader().retryLimit == 1)
  }

  @Test(.exploring())
  func neverOverdraws() async {
    let account = Account(balance: 100)
    async let first: Void = account.withdraw(80)
    async let second: Void = account.withdraw(80)
    _ = await (first, second)
    #expect(await account.balance == 20)
  }

  @Test("a request overrides what belongs to it")
  func request() async throws {
    #expect(try await handle(Request(), from: "blob") == Response(text: "blob"))
  }
}
