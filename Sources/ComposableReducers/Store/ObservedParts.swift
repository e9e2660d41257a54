internal import Observation

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
    /// Returns the notifications due for a new state, and whether the part is still observed.
    func update(_ state: State) -> (notifications: [Notification], isObserved: Bool) {
      ([], false)
    }

    /// Returns the notifications of all that was read.
    func endObservation() -> [Notification] { [] }

    /// Whether this is the part of a child store that was released.
    var isOrphan: Bool { false }
  }

  private var parts: [AnyHashable: Part] = [:]
  /// Whether the whole state was read since the last notification.
  private var isWholeRead = false
  private let registrar = ObservationRegistrar()

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Returns the notifications due for a new state.
  func update(_ state: State) -> [Notification] {
    var notifications = notificationsOfWhole()
    var orphans: [AnyHashable] = []
    for (key, part) in parts {
      let (more, isObserved) = part.update(state)
      notifications += more
      if parts[key] !== part { continue }
      if !isObserved {
        parts[key] = nil
      } else if part.isOrphan {
        orphans.append(key)
      }
    }
    // Nobody may observe an orphan any more, so there must not be ever more of them to compare.
    if orphans.count > max(64, parts.count / 2) {
      for key in orphans { notifications += parts.removeValue(forKey: key)!.endObservation() }
    }
    return notifications
  }

  /// Returns the notifications of all that was read.
  func endObservation() -> [Notification] {
    defer { parts = [:] }
    return notificationsOfWhole() + parts.values.flatMap { $0.endObservation() }
  }

  private func notificationsOfWhole() -> [Notification] {
    guard isWholeRead else { return [] }
    isWholeRead = false
    return [{ self.registrar.withMutation(of: self, keyPath: \.isWholeRead) {} }]
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

    override func update(_ state: State) -> (notifications: [Notification], isObserved: Bool) {
      get(state) == value ? ([], true) : (endObservation(), false)
    }

    override func endObservation() -> [Notification] {
      [{ self.registrar.withMutation(of: self, keyPath: \.value) {} }]
    }
  }
}
