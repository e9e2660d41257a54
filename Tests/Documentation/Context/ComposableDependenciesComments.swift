import ComposableEnvironment
import Dispatch
import Foundation

private struct Player: ComposableEnvironment {
  let scope = DependencyScope.current
}

private struct Radio: ComposableEnvironment {
  let scope = DependencyScope.current
  // block: @DerivedEnvironment<Player>
}

private enum PlayerClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  fileprivate var playerClock: any Clock<Duration> {
    get { self[PlayerClockKey.self] }
    set { self[PlayerClockKey.self] = newValue }
  }
  fileprivate var clock: any Clock<Duration> {
    get { self[PlayerClockKey.self] }
    set { self[PlayerClockKey.self] = newValue }
  }
}

private enum Library {
  // block: public struct APIClient
}

private func example() -> some AsyncSequence {
  // block: lines.map {
}

private func example() -> APIClient {
  // block: APIClient(fetch: Dependencies.unimplemented("apiClient.fetch"))
}
