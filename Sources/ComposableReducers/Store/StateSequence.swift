internal import Synchronization

/// A sequence of a store's states, or of a part of them; see ``Store/states`` and
/// ``Store/states(of:)``.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// What an iterator reads, once it has started.
  struct Source: Sendable {
    /// The number of each action.
    let changes: AsyncStream<Int>
    /// Returns the newest state, and the number of its action.
    let read: @Sendable () async -> Numbered?
  }

  typealias Numbered = (state: State, number: Int)

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
    private var read: (@Sendable () async -> Numbered?)?
    private var changes: AsyncStream<Int>.Iterator?
    /// The number of the last state that was read.
    private var lastNumber = -1
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
        if let read = await source.read() { return keep(read) }
        return await waitForLast(source.read, isolation: actor)
      }
      while let number = await changes?.next(isolation: actor) {
        if number <= lastNumber { continue }
        guard let read = await read() else {
          return await waitForLast(read, isolation: actor)
        }
        if !isKept(read) { return keep(read) }
      }
      return nil
    }

    /// Waits for the last state of a store that is being released.
    private mutating func waitForLast(
      _ read: @Sendable () async -> Numbered?, isolation actor: isolated (any Actor)?
    ) async -> State? {
      while await changes?.next(isolation: actor) != nil {}
      guard let read = await read(), !isKept(read) else { return nil }
      return keep(read)
    }

    private func isKept(_ read: Numbered) -> Bool {
      guard let last, let isSame = sequence.isSame else { return false }
      return isSame(last, read.state)
    }

    private mutating func keep(_ read: Numbered) -> State {
      lastNumber = read.number
      if sequence.isSame != nil { last = read.state }
      return read.state
    }
  }
}

/// The readers of a store's states.
///
/// They are notified of a new state, and then read it.
final class StateReaders<State: Sendable>: Sendable {
  private struct Readers {
    var continuations: [Int: AsyncStream<Int>.Continuation] = [:]
    var count = 0
    /// The number of actions since the first reader.
    var actionCount = 0
    /// The last state of a store that is gone.
    var final: State?
  }

  private let readers = Mutex(Readers())

  var final: State? { readers.withLock { $0.final } }

  /// The number of the newest state.
  var number: Int { readers.withLock { $0.actionCount } }

  func add() -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
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

  func notify() {
    let (continuations, number) = readers.withLock { readers in
      readers.actionCount += 1
      return (Array(readers.continuations.values), readers.actionCount)
    }
    for continuation in continuations { continuation.yield(number) }
  }

  func finish(_ state: State) {
    let continuations = readers.withLock { readers in
      readers.final = state
      return Array(readers.continuations.values)
    }
    for continuation in continuations { continuation.finish() }
  }
}
