import ComposableEnvironment
import Synchronization

extension Request {
  /// A sequence produces its next element in the scope of the code that asks for it, unless the
  /// sequence has a scope.
  func reportProgress() async {
    let produced = AsyncStream { continuation in
      Task {
        probe.read(at: .streamProducer)
        for step in 1...3 { continuation.yield(step) }
        continuation.finish()
      }
    }
    let mapped = produced.map { [probe] step in
      probe.read(at: .mappedByConsumer)
      return step * 33
    }.scoped(to: .current)

    let countdown = Countdown(from: 3)
    let unfolded = AsyncStream<Int>(unfolding: { [probe] in
      probe.read(at: .unfoldedByConsumer)
      return countdown.next()
    }).scoped(to: .current)

    let environment = RequestEnvironment()
    await monitor.perform { [probe] in
      for await _ in mapped {}
      for await _ in unfolded {}
      probe.read(at: .environmentElsewhere, library: environment.requestID)
    }
  }
}

private final class Countdown: Sendable {
  private let left: Atomic<Int>

  init(from count: Int) {
    left = Atomic(count)
  }

  func next() -> Int? {
    let left = left.subtract(1, ordering: .relaxed).newValue
    return left < 0 ? nil : left
  }
}
