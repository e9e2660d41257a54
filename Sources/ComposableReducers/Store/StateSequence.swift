internal import Synchronization

/// The states of a store, from the current one on; see ``Store/states``.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  let read: @Sendable () async -> AsyncStream<State>?

  /// Begins with the state that is current when the first is asked for.
  public func makeAsyncIterator() -> Iterator {
    Iterator(read: read)
  }

  /// Reads one state after the other; each iterator gets all that it is fast enough for.
  public struct Iterator: AsyncIteratorProtocol {
    let read: @Sendable () async -> AsyncStream<State>?
    private var base: AsyncStream<State>.Iterator?

    init(read: @escaping @Sendable () async -> AsyncStream<State>?) {
      self.read = read
    }

    /// The newest state that was not read yet, when there is one; nothing when the store is gone.
    public mutating func next() async -> State? {
      await next(isolation: nil)
    }

    /// The newest state that was not read yet, when there is one; nothing when the store is gone.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      if base == nil { base = await read()?.makeAsyncIterator() }
      return await base?.next(isolation: actor)
    }
  }
}

/// Those who read the states of a store.
@usableFromInline
final class StateReaders<State: Sendable>: Sendable {
  private struct Readers {
    var continuations: [Int: AsyncStream<State>.Continuation] = [:]
    var last: State?
    var count = 0
  }

  private let readers = Mutex(Readers())
  private let isSame = equality(of: State.self)

  @usableFromInline
  init() {}

  func add(startingWith state: State) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(state)
    let number = readers.withLock { readers in
      readers.count += 1
      readers.continuations[readers.count] = continuation
      readers.last = state
      return readers.count
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.readers.withLock { readers in
        readers.continuations[number] = nil
        // Handed out of the lock, since freeing a state may run code of the user.
        defer { if readers.continuations.isEmpty { readers.last = nil } }
        return readers.last
      }
    }
    return stream
  }

  func yield(_ state: State) {
    let (continuations, last) = readers.withLock { readers in
      (Array(readers.continuations.values), readers.last)
    }
    if continuations.isEmpty { return }
    if let last, let isSame, isSame(last, state) { return }
    readers.withLock { $0.last = state }
    for continuation in continuations { continuation.yield(state) }
  }

  func finish() {
    let continuations = readers.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.finish() }
  }
}

/// How to compare values of a type, if they can be.
private func equality<Value>(of type: Value.Type) -> (@Sendable (Value, Value) -> Bool)? {
  guard type is any Equatable.Type else { return nil }
  return { lhs, rhs in
    guard let lhs = lhs as? any Equatable else { return false }
    return isEqual(lhs, rhs)
  }
}

private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool {
  lhs == rhs as? Value
}
