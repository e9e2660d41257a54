internal import ComposableDependencies
internal import Synchronization

/// The running effects of one store: a tree, from the group of an action down to operations.
///
/// A group is in the tree while it has members, everything else from `add` to `remove`, and then like
/// a group. Numbers increase, so effects are canceled in the order in which they were made.
///
/// Beside it stands the tree of children, in which identifiers are looked up from the child that uses
/// them. No user code runs under the lock: identifiers are looked up by their hashes there, and compared
/// outside.
package final class EffectRegistry: Sendable {
  /// Passes a request to the store; returns `nil` if the store is gone.
  package typealias Deliver = @Sendable (EffectRequest) async -> Void?

  typealias Members = [Int: RunningEffect]

  private struct State {
    /// The groups of the actions that the program sent.
    var actions = EffectMembers()
    var deliver: Deliver?

    /// Adds an effect, and what is around it and enters the tree with its first member.
    mutating func add(_ effect: RunningEffect) {
      if effect.context.isCancelled { effect.markAsCancelled() }
      var effect = effect
      while let parent = effect.context.parent {
        setGroup(effect, isPresent: true)
        let isFirst = parent.members.isEmpty
        parent.members.add(effect)
        guard isFirst, parent.needsMembers else { return }
        effect = parent
      }
      setGroup(effect, isPresent: true)
    }

    /// Removes an effect that has ended, and what is around it and leaves the tree with its last member.
    ///
    /// - Parameter waiters: What waits for the end of anything that leaves.
    /// - Returns: What has lost its last member, and stays: a sequence or operation.
    mutating func remove(
      _ effect: RunningEffect, _ waiters: inout [RunningEffect.Waiter]
    ) -> RunningEffect? {
      effect.end()
      var effect = effect
      while effect.members.isEmpty {
        guard effect.needsMembers else { return effect }
        setGroup(effect, isPresent: false)
        waiters += effect.waiters
        effect.waiters = []
        guard let parent = effect.context.parent else { return nil }
        parent.members.remove(effect)
        effect = parent
      }
      return nil
    }

    /// Adds a group to those of its kind, or removes it.
    private mutating func setGroup(_ effect: RunningEffect, isPresent: Bool) {
      guard case .group(let group) = effect.kind else { return }
      let new = isPresent ? effect : nil
      switch group {
      case .action: if isPresent { actions.add(effect) } else { actions.remove(effect) }
      case .child: effect.context.child.groups[effect.number] = new
      case .id(let id):
        var next: EffectChild? = effect.context.child
        while let child = next {
          child.identified[id.hash, default: [:]][effect.number] = new
          if child.identified[id.hash]?.isEmpty == true { child.identified[id.hash] = nil }
          next = child.parent
        }
      }
    }

    /// Returns effects and groups, and what is below them, in the order in which they were made.
    ///
    /// - Parameter spared: The numbers of those to leave out. An operation's other parts are canceled
    ///   only under identifiers of their own.
    static func effects(
      of roots: [RunningEffect], sparing spared: Set<Int> = []
    ) -> [RunningEffect] {
      var (pending, found) = (roots, Members())
      while let next = pending.popLast() {
        if next.isOperation, spared.contains(next.number) { continue }
        // A group may be inside another one.
        if found.updateValue(next, forKey: next.number) != nil { continue }
        pending += next.members.all
      }
      return found.values.filter { !spared.contains($0.number) }.sorted { $0.number < $1.number }
    }
  }

  let supervisor: (any EffectSupervisor)?
  /// The executor of the test that created the store, if a test did.
  let testExecutor = DependencyScope.current.testExecutor
  /// The place of the store's own reducer.
  let root = EffectChild(below: nil)
  private let state = Mutex(State())
  private let count = Atomic(0)
  private let isOver = Atomic(false)

  init(supervisor: (any EffectSupervisor)?) {
    self.supervisor = supervisor
  }

  /// Whether a test needs to know which actions have which effects.
  var isOfTest: Bool { supervisor != nil || testExecutor != nil }

  /// Connects the store; the closure must not retain it.
  package func connect(_ deliver: @escaping Deliver) {
    state.withLock { $0.deliver = deliver }
  }

  /// Passes a request to the store, and returns whether the store still exists.
  func deliver(_ request: EffectRequest) async -> Bool {
    await state.withLock { $0.deliver }?(request) != nil
  }
}

/// A request of an effect to its store.
package enum EffectRequest: Sendable {
  case action(any Sendable, from: RunningEffect)
  case continueSequence(RunningEffect)
}

extension EffectRegistry {
  func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

  /// Makes a group, which is in the tree while it has members.
  func makeGroup(_ group: EffectGroup, _ context: EffectContext) -> RunningEffect {
    RunningEffect(.group(group), context, in: self)
  }

  /// Adds an effect, so that it can be canceled and awaited.
  ///
  /// - Parameter id: The identifier whose effects it replaces, if any.
  func add(
    _ kind: RunningEffect.Kind, _ context: EffectContext, _ run: EffectRun? = nil,
    cancelling id: EffectID? = nil
  ) -> RunningEffect {
    let effect = RunningEffect(kind, context, run, in: self)
    if let id {
      cancel(id, in: context, sparing: context.parent, adding: effect)
    } else {
      state.withLock { $0.add(effect) }
    }
    return effect
  }

  /// Keeps the task of an operation, to cancel it.
  func didStart(_ effect: RunningEffect, _ task: Task<Void, Never>) {
    state.withLock { _ in effect.keep(task) }
  }

  /// Removes an effect that has ended.
  ///
  /// - Returns: The sequence that must continue, because its part has ended.
  func remove(_ effect: RunningEffect) -> RunningEffect? {
    let whole = effect.whole
    let (outer, waiters, hasEnded) = state.withLock { state in
      var waiters: [RunningEffect.Waiter] = []
      let outer = state.remove(effect, &waiters)
      return (outer, waiters, whole.isEmpty)
    }
    if hasEnded, whole.isSupervised { supervisor?.didFinish(ObjectIdentifier(whole)) }
    for notify in waiters { notify() }
    if case .sequence = outer?.kind { return outer }
    return nil
  }

  /// Continues a sequence whose part has ended.
  func continueSequence(_ sequence: RunningEffect) async {
    var next: RunningEffect? = sequence
    while let sequence = next {
      if await deliver(.continueSequence(sequence)) { return }
      // The store is gone, so nothing more starts, and a `Send` that is kept must not keep the rest.
      let rest = state.withLock { _ in
        defer { sequence.rest = [] }
        return sequence.rest
      }
      // Freed outside the lock. A release build frees what nothing uses under it.
      withExtendedLifetime(rest) {}
      next = remove(sequence)
    }
  }
}

extension EffectRegistry {
  /// Cancels an effect or the group of an action, and everything below it.
  ///
  /// What an action's effects start from then on is canceled, too.
  ///
  /// - Returns: The canceled operations.
  @discardableResult
  func cancel(_ effect: RunningEffect) -> [RunningEffect] {
    cancel { _ in effect.isGroup && effect.members.isEmpty ? [] : [effect] }
  }

  /// Cancels the effects with an identifier, of the child that uses it and of those below it.
  ///
  /// - Parameters:
  ///   - effect: An effect to leave running, together with those that it is a part of.
  ///   - new: An effect to add. Of several that replace each other at once, only the last one stays.
  func cancel(
    _ id: EffectID, in context: EffectContext, sparing effect: RunningEffect? = nil,
    adding new: RunningEffect? = nil
  ) {
    announceCancel(id, in: context, sparing: effect?.whole)
    var spared: Set<Int> = []
    var next = effect
    while let effect = next {
      spared.insert(effect.number)
      next = effect.context.parent
    }
    var (known, groups) = (Set<Int>(), [RunningEffect]())
    while true {
      var others: [RunningEffect] = []
      let cancelled = cancel(sparing: spared) { state in
        // Another thread may have added some while this one compared identifiers.
        let candidates = context.child.identified[id.hash]?.values
        others = candidates?.filter { !known.contains($0.number) } ?? []
        if !others.isEmpty { return [] }
        if let new { state.add(new) }
        return groups
      }
      if others.isEmpty { return wait(for: cancelled, in: context.action) }
      known.formUnion(others.map(\.number))
      groups += others.filter { $0.has(id) }
    }
  }

  /// Tells the supervisor what is about to be cancelled under an identifier, or else which effects of
  /// other children have it.
  private func announceCancel(
    _ id: EffectID, in context: EffectContext, sparing: RunningEffect?
  ) {
    guard let supervisor, let cause = context.cause else { return }
    for child in [context.child, root] {
      let groups = groups(of: id, in: child)
      if groups.isEmpty { continue }
      let effects = state.withLock { _ in State.effects(of: groups) }
      let tasks = effects.filter { $0.isSupervised && $0 !== sparing }.map { ObjectIdentifier($0) }
      return supervisor.willCancel(tasks, by: cause, isReached: child === context.child)
    }
  }

  /// The groups of an identifier, of a child and of those below it.
  private func groups(of id: EffectID, in child: EffectChild) -> [RunningEffect] {
    let candidates = state.withLock { _ in child.identified[id.hash] }
    return candidates?.values.filter { $0.has(id) } ?? []
  }

  /// Cancels the effects of children that are gone, and returns their operations.
  func cancel(children: [EffectChild]) -> [RunningEffect] {
    cancel { _ in children.flatMap(\.groups.values) }
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    _ = cancel { $0.actions.all }
  }

  /// Cancels everything, now and from now on, because the store has ended.
  func end() {
    isOver.store(true, ordering: .releasing)
    cancelAll()
  }

  /// Whether the store has ended, so that it accepts no action.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  private func cancel(
    sparing spared: Set<Int> = [], _ roots: (inout State) -> [RunningEffect]
  ) -> [RunningEffect] {
    // Mark every effect first: cancelling one may let another continue, and what that sends must be
    // ignored if it is cancelled too. Under the lock, so that effects added later notice.
    let (tasks, operations) = state.withLock { state in
      let effects = State.effects(of: roots(&state), sparing: spared)
      for effect in effects { effect.markAsCancelled() }
      return (effects.compactMap(\.task), effects.filter(\.isOperation))
    }
    for task in tasks { task.cancel() }
    return operations
  }
}

extension EffectRegistry {
  /// Whether nothing of a sequence is running.
  func isEmpty(_ sequence: RunningEffect) -> Bool {
    state.withLock { _ in sequence.members.isEmpty }
  }

  /// What an action waits for: its operations, in the order in which they were made, and those that it
  /// canceled.
  func operations(of action: RunningEffect) -> [RunningEffect] {
    state.withLock { _ in
      State.effects(of: [action]).flatMap { effect in
        if case .cancellation(of: let others) = effect.kind {
          others.filter { !$0.isEmpty }
        } else {
          [effect]
        }
      }
    }.filter(\.isSupervised)
  }

  /// The groups of all actions with running effects.
  var actions: [RunningEffect] { state.withLock { $0.actions.all } }

  /// Calls a closure when an operation, or everything of an action, has ended.
  ///
  /// - Returns: Whether it hasn't ended yet. Otherwise, the closure isn't called.
  func whenEnded(_ effect: RunningEffect, _ notify: @escaping RunningEffect.Waiter) -> Bool {
    state.withLock { _ in
      if effect.isEmpty { return false }
      effect.waiters.append(notify)
      return true
    }
  }

  /// Lets what waits for an action wait for the operations, too, that it canceled.
  func wait(for cancelled: [RunningEffect], in action: RunningEffect?) {
    let others = cancelled.filter { $0.context.action !== action }
    guard let action, !others.isEmpty else { return }
    var context = action.context
    context.enter(action)
    remove(add(.cancellation(of: others), context), after: others[...])
  }

  private func remove(_ cancellation: RunningEffect, after others: ArraySlice<RunningEffect>) {
    var rest = others
    while let other = rest.popFirst() {
      if whenEnded(other, { [rest] in self.remove(cancellation, after: rest) }) { return }
    }
    _ = remove(cancellation)
  }
}

/// The members of a group, sequence or operation, or all groups of actions, in no order.
struct EffectMembers {
  private(set) var all: [RunningEffect] = []

  var isEmpty: Bool { all.isEmpty }

  mutating func add(_ effect: RunningEffect) {
    effect.index = all.count
    all.append(effect)
  }

  /// Removes an effect; does nothing if it was already removed.
  mutating func remove(_ effect: RunningEffect) {
    guard let index = effect.index.take() else { return }
    let last = all.removeLast()
    if last === effect { return }
    all[index] = last
    last.index = index
  }
}
