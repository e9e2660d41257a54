internal import Synchronization

/// Numbers calls from 0, on any number of tasks.
final class CallCounter: Sendable {
  private let count = Atomic<UInt64>(0)

  func next() -> UInt64 {
    count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}
