internal import Synchronization

/// A sequence of a store's states, or of a part of them; see ``Store/states`` and
/// ``Store/states(of:)``.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// What an iterator reads, once it has started.
  struct Source: Sendable {
    let changes: AsyncStream<Void>
    let read: @Sendable () async -> State?
  }

  let open: @Sendable () async -> Source?
  let isSame: (@Sendable (State, State) -> Bool)?

  /// Creates an iterator, which starts with the state at the time when you ask for the first
  /// element.
  public func makeAsyncIterator() -> Iterator {
    Iterator(self)
  }

  /// An iterator over the states.
  public struct Iterator: AsyncIteratorProtocol {
    private let sequence: StateSequence
    private var read: (@Sendable () async -> State?)?
    private var changes: AsyncStream<Void>.Iterator?
    /// The last state, if it is compared with the next one.
    private var last: State?

    init(_ sequence: StateSequence) {
      self.sequence = sequence
    }

    /// Waits for a state that wasn't read yet, and returns the newest; `nil` if the store is gone.
    public mutating func next() async -> State? {
      await next(isolation: nil)
    }

    /// Waits for a state that wasn't read yet, and returns the newest; `nil` if the store is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      guard let read else {
        guard let source = await sequence.open() else { return nil }
        (read, changes) = (source.read, source.changes.makeAsyncIterator())
        if let state = await source.read() { return keep(state) }
        return await waitForLast(source.read, isolation: actor)
      }
      while await changes?.next(isolation: actor) != nil {
        guard let state = await read() else {
          return await waitForLast(read, isolation: actor)
        }
        if !isKept(state) { return keep(state) }
      }
      return nil
    }

    /// Waits for the last state of a store that is being released, and hasn't left it yet.
    private mutating func waitForLast(
      _ read: @Sendable () async -> State?, isolation actor: isolated (any Actor)?
    ) async -> State? {
      while await changes?.next(isolation: actor) != nil {}
      guard let state = await read(), !isKept(state) else { return nil }
      return keep(state)
    }

    private func isKept(_ state: State) -> Bool {
      guard let last, let isSame = sequence.isSame else { return false }
      return isSame(last, state)
    }

    private mutating func keep(_ state: State) -> State {
      if sequence.isSame != nil { last = state }
      return state
    }
  }
}

/// The readers of a store's states.
///
/// They are notified of a new state, and then read it.
@usableFromInline
final class StateReaders<State: Sendable>: Sendable {
  private struct Readers {
    var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    var count = 0
    /// The last state of a store that is gone.
    var final: State?
  }

  private let readers = Mutex(Readers())

  var final: State? { readers.withLock { $0.final } }

  func add() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = readers.withLock { readers in
      readers.count += 1
      readers.continuations[readers.count] = continuation
      return readers.count
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.readers.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  @usableFromInline
  func notify() {
    for continuation in readers.withLock({ Array($0.continuations.values) }) {
      continuation.yield()
    }
  }

  func finish(_ state: State) {
    let continuations = readers.withLock { readers in
      readers.final = state
      return Array(readers.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
