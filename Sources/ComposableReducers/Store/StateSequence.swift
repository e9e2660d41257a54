internal import Synchronization

/// A sequence of a store's states, or of a part of them; see ``Store/states`` and
/// ``Store/states(of:)``.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// Returns the current state, and the states that follow; `nil` if the store is gone.
  let open: @Sendable () async -> AsyncStream<State>?
  let isSame: (@Sendable (State, State) -> Bool)?

  /// Creates an iterator, which starts with the state at the time when you ask for the first
  /// element.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }

  /// An iterator over the states.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: StateSequence
    private var states: AsyncStream<State>.Iterator?
    /// The last state, if it is compared with the next one.
    private var last: State?

    init(_ sequence: StateSequence) {
      self.sequence = sequence
    }

    /// Waits for the next state; returns `nil` if the store is gone.
    public mutating func next() async -> State? {
      await next(isolation: nil)
    }

    /// Waits for the next state; returns `nil` if the store is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      if states == nil { states = await sequence.open()?.makeAsyncIterator() }
      while let state = await states?.next(isolation: actor) {
        guard let isSame = sequence.isSame else { return state }
        if let last, isSame(last, state) { continue }
        last = state
        return state
      }
      return nil
    }
  }
}

/// The readers of a store's states, or of parts of them.
///
/// One that has ended is removed after the next action, or when another one begins.
///
/// Used only in the store's isolation.
final class StateReaders<State> {
  private struct Reader {
    let end: ReaderEnd
    let receive: (State) -> Void
    let finish: () -> Void
  }

  private var readers: [Reader] = []

  deinit {
    for reader in readers { reader.finish() }
  }

  /// Adds a reader, which begins with the current state.
  func add<Part: Sendable>(
    of part: @escaping (State) -> Part, from state: State
  ) -> AsyncStream<Part> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Part.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(part(state))
    let end = ReaderEnd()
    continuation.onTermination = { _ in end.hasCome.store(true, ordering: .relaxed) }
    removeEnded()
    readers.append(
      Reader(end: end) {
        continuation.yield(part($0))
      } finish: {
        continuation.finish()
      })
    return stream
  }

  func notify(_ state: State) {
    removeEnded()
    for reader in readers { reader.receive(state) }
  }

  private func removeEnded() {
    readers.removeAll { $0.end.hasCome.load(ordering: .relaxed) }
  }
}

private final class ReaderEnd: Sendable {
  let hasCome = Atomic(false)
}
