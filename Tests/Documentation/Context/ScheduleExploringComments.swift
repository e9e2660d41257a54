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

private struct Timeout: Error {}

private struct Server {
  func add(_ note: String) {}
}

private let server = Server()

private enum SaveKey: DependencyKey {
  static let defaultValue: @Sendable (String) async throws -> Void = { _ in }
}

extension Dependencies {
  fileprivate var save: @Sendable (String) async throws -> Void {
    get { self[SaveKey.self] }
    set { self[SaveKey.self] = newValue }
  }
}

private func example() {
  withDependencies {
    // block: $0.save = interleaved(
  } operation: {
  }
}
