internal import Observation
internal import Synchronization

/// The observed parts of one store's state, each with the value that was read.
///
/// After a part is read, it is compared after each action until it changes. Observers are notified
/// once, and read the part again if they are still interested.
@MainActor
final class ObservedParts<State>: Observable {
  typealias Notification = @MainActor () -> Void

  /// A part of the state.
  @MainActor
  class Part {
    /// Adds the notifications due for a new state.
    ///
    /// - Returns: Whether the part is still observed.
    func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      preconditionFailure("A subclass knows its value.")
    }

    /// Adds the notifications of all that was read.
    func endObservation(_ notifications: inout [Notification]) {}

    /// Whether this is the part of a child store that was released.
    var isOrphan: Bool { false }
  }

  private var parts: [AnyHashable: Part] = [:]
  /// Whether the whole state was read since the last notification.
  private var isWholeRead = false
  private let registrar = ObservationRegistrar()
  private nonisolated let hasLostStore = Atomic(false)

  /// Whether the store was released.
  var isOrphan: Bool { hasLostStore.load(ordering: .relaxed) }

  /// Records that the store was released.
  nonisolated func loseStore() {
    hasLostStore.store(true, ordering: .relaxed)
  }

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Adds the notifications due for a new state.
  func update(_ state: State, _ notifications: inout [Notification]) {
    endObservationOfWhole(&notifications)
    var (ended, orphans): ([(AnyHashable, Part)], [(AnyHashable, Part)]) = ([], [])
    for (key, part) in parts {
      if !part.update(state, &notifications) {
        ended.append((key, part))
      } else if part.isOrphan {
        orphans.append((key, part))
      }
    }
    // Nobody may observe an orphan any more, so there must not be ever more of them to compare.
    if orphans.count > max(64, (parts.count - ended.count) / 2) {
      for (_, part) in orphans { part.endObservation(&notifications) }
      ended += orphans
    }
    // A comparison may have read a part again, and replaced it.
    for (key, part) in ended where parts[key] === part { parts[key] = nil }
  }

  /// Adds the notifications of all that was read of a store that is gone.
  func endObservation(_ notifications: inout [Notification]) {
    endObservationOfWhole(&notifications)
    for part in parts.values { part.endObservation(&notifications) }
  }

  private func endObservationOfWhole(_ notifications: inout [Notification]) {
    guard isWholeRead else { return }
    isWholeRead = false
    notifications.append { self.registrar.withMutation(of: self, keyPath: \.isWholeRead) {} }
  }

  /// Records a read of the whole state.
  func readWhole() {
    isWholeRead = true
    registrar.access(self, keyPath: \.isWholeRead)
  }

  /// Records a read of the value that the state has under a key.
  func read<Value: Equatable>(
    _ value: Value, _ key: AnyHashable, of get: @escaping @MainActor (State) -> Value
  ) {
    // Sound, because a key stands for values of one type.
    let part =
      parts[key].map { unsafe unsafeDowncast($0, to: Member<Value>.self) } ?? Member(value, get)
    parts[key] = part
    part.access()
  }

  /// Adds a part unless there is one under its key.
  func add(_ key: AnyHashable, _ part: () -> Part) {
    if parts[key] == nil { parts[key] = part() }
  }

  /// A value of the state.
  @MainActor
  private final class Member<Value: Equatable>: Part, Observable {
    private let value: Value
    private let get: @MainActor (State) -> Value
    private let registrar = ObservationRegistrar()

    init(_ value: Value, _ get: @escaping @MainActor (State) -> Value) {
      self.value = value
      self.get = get
    }

    func access() {
      registrar.access(self, keyPath: \.value)
    }

    override func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      if get(state) == value { return true }
      endObservation(&notifications)
      return false
    }

    override func endObservation(_ notifications: inout [Notification]) {
      notifications.append { self.registrar.withMutation(of: self, keyPath: \.value) {} }
    }
  }
}
