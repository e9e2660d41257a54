import ComposableReducers
import Foundation

private enum Action: Sendable { case ticked }

private struct Environment: Sendable {
  let continuousClock: any Clock<Duration>
}

private func example(_ environment: Environment) -> Effect<Action> {
  // block: return .run
}

private func example(_ clock: any Clock<Duration>) async throws {
  // block: try await clock.sleep
}

private struct Database {
  func setAddress(_ address: String, of user: Int) async throws {}
}

private struct Mailer: Sendable {
  func confirm(_ address: String) async throws {}
}

private let database = Database()
private let mailer = Mailer()
private let address = ""
private let user = 1
private let birthday = Date(timeIntervalSince1970: 0)
private let deck = [1, 2, 3]

private func example() {
  withDependencies {
    // block: $0.calendar = Calendar
  } operation: {
  }
}

private struct Todo { let id: UUID }
