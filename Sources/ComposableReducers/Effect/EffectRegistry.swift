internal import Synchronization

/// The running effects of one store: a tree, from the group of an action down to operations.
///
/// A group is in the tree while it has members, everything else from `add` to `remove`. Numbers
/// increase, so effects are cancelled in the order in which they were made.
///
/// Nothing of a user's runs under the lock: identifiers are found by their hashes, and compared
/// outside.
package final class EffectRegistry: Sendable {
  /// Passes a request to the store; returns `nil` if the store is gone.
  package typealias Deliver = @Sendable (EffectRequest) async -> Void?

  typealias Members = [Int: RunningEffect]

  private struct State {
    var count = 0
    /// The members of each group, sequence and operation, by its number.
    var members: [Int: Members] = [:]
    /// The groups of identifiers, by the identifier's hash.
    var identified: [Int: Members] = [:]
    /// The groups of children, by the child's number.
    var children: [Int: Members] = [:]
    /// Called when the group of an action is empty.
    var waiters: [Int: [@Sendable () -> Void]] = [:]
    var deliver: Deliver?

    mutating func nextNumber() -> Int {
      count += 1
      return count
    }

    /// Adds an effect, and the groups around it that had no members.
    mutating func add(_ effect: RunningEffect) {
      var effect = effect
      while let parent = effect.context.parent {
        switch effect.kind {
        case .group(.id(let id)): _ = identified.add(effect, to: id.hash)
        case .group(.child(let number)): _ = children.add(effect, to: number)
        default: break
        }
        guard members.add(effect, to: parent.number), parent.isGroup else { return }
        effect = parent
      }
    }

    /// Removes an effect, and the groups around it that have no more members.
    ///
    /// - Returns: What has lost its last member: the group of the action, or a sequence or operation.
    mutating func remove(_ effect: RunningEffect) -> RunningEffect? {
      var effect = effect
      while let parent = effect.context.parent {
        switch effect.kind {
        case .group(.id(let id)): _ = identified.remove(effect, from: id.hash)
        case .group(.child(let number)): _ = children.remove(effect, from: number)
        default: break
        }
        guard members.remove(effect, from: parent.number) else { return nil }
        guard parent.isGroup else { return parent }
        effect = parent
      }
      return effect
    }

    func isRunningSequence(_ effect: RunningEffect) -> Bool {
      guard case .sequence = effect.kind, let parent = effect.context.parent else { return false }
      return members[parent.number]?[effect.number] != nil
    }

    /// Returns effects and everything below them, in the order in which they were made.
    func tree(of roots: some Sequence<RunningEffect>) -> [RunningEffect] {
      var (pending, effects) = (Array(roots), [RunningEffect]())
      // A group may be inside another one.
      var groups: Set<Int> = []
      while let next = pending.popLast() {
        if next.isGroup && !groups.insert(next.number).inserted { continue }
        effects.append(next)
        if let members = members[next.number] { pending += members.values }
      }
      return effects.sorted { $0.number < $1.number }
    }
  }

  let supervisor: (any EffectSupervisor)?
  private let state = Mutex(State())

  init(supervisor: (any EffectSupervisor)?) {
    self.supervisor = supervisor
  }

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
  func nextNumber() -> Int {
    state.withLock { $0.nextNumber() }
  }

  /// Makes a group, which is in the tree while it has members.
  func makeGroup(_ group: EffectGroup, _ context: EffectContext) -> RunningEffect {
    RunningEffect(number: nextNumber(), .group(group), context, nil, in: self)
  }

  /// Adds an effect, so that it can be cancelled and awaited.
  func add(
    _ kind: RunningEffect.Kind, _ context: EffectContext, _ run: EffectRun? = nil
  ) -> RunningEffect {
    state.withLock { state in
      let effect = RunningEffect(number: state.nextNumber(), kind, context, run, in: self)
      state.add(effect)
      if context.action?.isCancelled == true || context.owner?.isCancelled == true {
        effect.markAsCancelled()
      }
      return effect
    }
  }

  /// Removes an effect that has ended.
  ///
  /// - Returns: The sequence that must continue, because its part has ended.
  func remove(_ effect: RunningEffect) -> RunningEffect? {
    let (sequence, waiters) = state.withLock { state in
      let outer = state.remove(effect)
      let waiters = outer.flatMap { state.waiters.removeValue(forKey: $0.number) }
      return (outer.flatMap { state.isRunningSequence($0) ? $0 : nil }, waiters)
    }
    if effect.isSupervised { supervisor?.didFinish(ObjectIdentifier(effect)) }
    for notify in waiters ?? [] { notify() }
    return sequence
  }

  /// Continues a sequence whose part has ended.
  func continueSequence(_ sequence: RunningEffect) async {
    var next: RunningEffect? = sequence
    while let sequence = next {
      if await deliver(.continueSequence(sequence)) { return }
      // The store is gone, so nothing more starts.
      next = remove(sequence)
    }
  }
}

extension EffectRegistry {
  /// Cancels an effect or a group, and everything below it.
  ///
  /// What is added to the group of an action from then on is cancelled, too.
  func cancel(_ effect: RunningEffect) {
    cancel { state in
      if case .group = effect.kind, state.members[effect.number] == nil { return [] }
      return state.tree(of: [effect])
    }
  }

  /// Cancels the effects with an identifier.
  ///
  /// - Parameter effect: An effect to leave running, together with those that it is a part of.
  func cancel(_ id: EffectID, sparing effect: RunningEffect? = nil) {
    let candidates = state.withLock { $0.identified[id.hash] }
    guard let groups = candidates?.values.filter({ $0.has(id) }), !groups.isEmpty else { return }
    var spared: Set<Int> = []
    var next = effect
    while let effect = next {
      spared.insert(effect.number)
      next = effect.context.owner
    }
    cancel { state in
      let effects = state.tree(of: groups)
      return spared.isEmpty ? effects : effects.filter { !spared.contains($0.number) }
    }
  }

  /// Cancels the effects of children that are gone.
  func cancel(children: [Int]) {
    cancel { state in state.tree(of: children.flatMap { state.children[$0, default: [:]].values }) }
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    cancel { state in
      state.members.values.flatMap(\.values).sorted { $0.number < $1.number }
    }
  }

  private func cancel(_ choose: (State) -> [RunningEffect]) {
    // Mark every effect first: cancelling one may let another continue, and what that sends must be
    // ignored if it is cancelled too. Under the lock, so that effects added later notice.
    let effects = state.withLock { state in
      let effects = choose(state)
      for effect in effects { effect.markAsCancelled() }
      return effects
    }
    for effect in effects { effect.cancelTask() }
  }
}

extension EffectRegistry {
  /// Whether nothing of a sequence is running.
  func isEmpty(_ sequence: RunningEffect) -> Bool {
    state.withLock { $0.members[sequence.number] == nil }
  }

  /// The groups of children, by the child's number.
  var children: [Int: Members] { state.withLock { $0.children } }

  /// The operations of an action, in the order in which they were made.
  func operations(of action: RunningEffect) -> [RunningEffect] {
    state.withLock { $0.tree(of: [action]) }.filter(\.isSupervised)
  }

  /// Calls a closure when nothing of an action is running.
  func whenEmpty(_ action: RunningEffect, _ notify: @escaping @Sendable () -> Void) {
    let isEmpty = state.withLock { state in
      if state.members[action.number] == nil { return true }
      state.waiters[action.number, default: []].append(notify)
      return false
    }
    if isEmpty { notify() }
  }
}

extension [Int: EffectRegistry.Members] {
  /// Returns whether it is the first member.
  fileprivate mutating func add(_ effect: RunningEffect, to key: Int) -> Bool {
    self[key, default: [:]][effect.number] = effect
    return self[key]!.count == 1
  }

  /// Returns whether it was the last member.
  fileprivate mutating func remove(_ effect: RunningEffect, from key: Int) -> Bool {
    guard let index = index(forKey: key) else { return false }
    values[index][effect.number] = nil
    guard values[index].isEmpty else { return false }
    remove(at: index)
    return true
  }
}
