private enum UserIDKey: DependencyKey { static let defaultValue = "" }

extension Dependencies {
  fileprivate var userID: String {
    get { self[UserIDKey.self] }
    set { self[UserIDKey.self] = newValue }
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

@Test("a request overrides what belongs to it")
private func request() async throws {
  #expect(try await handle(Request(), from: "blob") == Response(text: "blob"))
}
