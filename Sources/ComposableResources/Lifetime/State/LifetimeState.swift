/// The state of a lifetime.
///
/// It makes decisions but calls nothing, so it can be used under a lock.
struct LifetimeState {
  enum Phase { case opening, operating, closing, ended }

  /// The task that opens, operates or closes, while it waits for a change.
  final class Observer: Sendable {
    let isSatisfied: @Sendable (borrowing LifetimeState) -> Bool
    let continuation: CheckedContinuation<Void, Never>

    init(
      isSatisfied: @escaping @Sendable (borrowing LifetimeState) -> Bool,
      continuation: CheckedContinuation<Void, Never>
    ) {
      self.isSatisfied = isSatisfied
      self.continuation = continuation
    }
  }

  /// A class, because each access to a structure of this size copies it.
  // Unchecked, because it is used only under the lock, until nothing else refers to it.
  final class Resource: @unchecked Sendable {
    enum Phase {
      case opening
      case open(any Sendable)
      case failed(any Error)
      case closing, closed
    }

    let key: any ResourceKey.Type
    /// Whether `withResources` lists it, so that the lifetime fails if it doesn't open.
    let isListed: Bool
    /// Distinguishes this attempt from later ones for the same key.
    let attempt: Int
    var phase = Phase.opening
    /// Whether its task hasn't ended: it is opening or running.
    var isLive = true
    var task: Task<Void, Never>?
    var waiters: [Waiter] = []
    /// The resources that its `open` is waiting for, once per wait.
    var awaits: [Int] = []
    /// The resources that it was opened from, or has asked for since.
    var needs: [Int] = []

    init(key: any ResourceKey.Type, isListed: Bool, attempt: Int) {
      self.key = key
      self.isListed = isListed
      self.attempt = attempt
    }

    var isOpening: Bool {
      if case .opening = phase { true } else { false }
    }
  }

  var phase = Phase.opening
  var resources: [Resource] = []
  /// The open resources, in the order in which they finished opening.
  var opened: [Int] = []
  /// The first error of an `open` or a `run`, or the caller's cancellation.
  private(set) var failure: (any Error)?
  var observer: Observer?
  var operation: OperationTask?
  var isOperationCancelled = false
  /// Whether another task is about to cancel the operation, which must not end before.
  var isCancellingOperation = false
  private var lastNumber = 0

  mutating func takeSatisfiedObserver() -> Observer? {
    guard let observer, observer.isSatisfied(self) else { return nil }
    self.observer = nil
    return observer
  }

  /// Records an error.
  ///
  /// Only the first counts, and only until the operation has ended.
  mutating func fail(_ error: any Error) {
    if failure == nil, phase == .opening || phase == .operating { failure = error }
  }

  /// Returns an unused number.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func index(of key: any ResourceKey.Type) -> Int? {
    resources.firstIndex { $0.key == key }
  }

  /// Returns the resources from one to another, both included.
  func path(from start: Int, to end: Int, by edges: KeyPath<Resource, [Int]>) -> [Int]? {
    var isVisited = Array(repeating: false, count: resources.count)
    func path(from start: Int) -> [Int]? {
      if start == end { return [start] }
      if isVisited[start] { return nil }
      isVisited[start] = true
      for next in resources[start][keyPath: edges] {
        if let path = path(from: next) { return [start] + path }
      }
      return nil
    }
    return path(from: start)
  }
}
