import ComposableTesting
import Synchronization

private enum MailerKey: DependencyKey {
  static let defaultValue = "live"
  static let testValue = "test"
}

extension Dependencies {
  /// Has a test value.
  var mailer: String {
    get { self[MailerKey.self] }
    set { self[MailerKey.self] = newValue }
  }
}

final class Counter: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}

private enum CounterKey: DependencyKey {
  static let defaultValue = Counter()
}

extension Dependencies {
  var counter: Counter {
    get { self[CounterKey.self] }
    set { self[CounterKey.self] = newValue }
  }
}

private enum ClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
