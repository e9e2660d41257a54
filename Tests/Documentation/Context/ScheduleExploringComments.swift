import ComposableTesting
import Testing

private actor Account {
  private(set) var balance: Int
  init(balance: Int) { self.balance = balance }
  func withdraw(_ amount: Int) async throws { balance -= amount }
}

private struct Overdrawn: Error {}

private enum SearchKey: DependencyKey {
  static let defaultValue: @Sendable (String) async throws -> [String] = { [$0] }
}

extension Dependencies {
  fileprivate var search: @Sendable (String) async throws -> [String] {
    get { self[SearchKey.self] }
    set { self[SearchKey.self] = newValue }
  }
}
