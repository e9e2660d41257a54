internal import Synchronization

/// The running effects of one store: each under its number, and in the groups that it belongs to.
///
/// Numbers increase, so effects are cancelled in the order in which they were made.
package final class EffectRegistry: Sendable {
  /// Passes a request to the store; returns `nil` if the store is gone.
  package typealias Deliver = @Sendable (EffectRequest) async -> Void?

  fileprivate struct Group {
    /// By number.
    var members: [Int: RunningEffect] = [:]
    /// Whether effects that join are cancelled, too.
    var isCancelled = false
    /// Called when the last member leaves.
    var waiters: [@Sendable () -> Void] = []
  }

  private struct State {
    var count = 0
    /// The groups of actions and of sequences, whose numbers differ.
    var numbered: [Int: Group] = [:]
    var identified: [EffectID: Group] = [:]
    var children: [ChildID: Group] = [:]
    /// For each child with effects, the `Condition` under which its state exists.
    var conditions: [ChildID: any Sendable] = [:]
    var deliver: Deliver?

    mutating func nextNumber() -> Int {
      count += 1
      return count
    }

    subscript(group: EffectGroup) -> Group? {
      switch group {
      case .action(let number), .part(of: let number): numbered[number]
      case .id(let id): identified[id]
      case .child(let id): children[id]
      }
    }

    mutating func join(_ group: EffectGroup, _ effect: RunningEffect) {
      switch group {
      case .action(let number), .part(of: let number): numbered.join(number, effect)
      case .id(let id): identified.join(id, effect)
      case .child(let id): children.join(id, effect)
      }
    }

    mutating func leave(_ group: EffectGroup, _ effect: RunningEffect) {
      switch group {
      case .action(let number), .part(of: let number): _ = numbered.leave(number, effect)
      case .id(let id): _ = identified.leave(id, effect)
      case .child(let id): if children.leave(id, effect) != nil { conditions[id] = nil }
      }
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
  /// Start the next part of a sequence.
  case goOn(RunningEffect)
}

extension EffectRegistry {
  /// Returns a number for an action that the program sent.
  func nextNumber() -> Int {
    state.withLock { $0.nextNumber() }
  }

  /// Adds an effect, so that it can be cancelled and awaited.
  func add(_ context: EffectContext, _ run: EffectRun? = nil) -> RunningEffect {
    let (effect, isCancelled) = state.withLock { state in
      let effect = RunningEffect(number: state.nextNumber(), context, run, in: self)
      if context.joinsAction { state.numbered.join(context.action, effect) }
      for group in context.groups { state.join(group, effect) }
      for child in context.children { state.conditions[child.id] = child.condition }
      return (effect, state.numbered[context.action]?.isCancelled == true)
    }
    if isCancelled { effect.cancel() }
    return effect
  }

  /// Removes an effect that has ended.
  ///
  /// - Returns: The sequence that must continue, because its part has ended.
  func remove(_ effect: RunningEffect) -> RunningEffect? {
    let (action, sequence) = state.withLock { state in
      for group in effect.context.groups { state.leave(group, effect) }
      let action =
        effect.context.joinsAction ? state.numbered.leave(effect.context.action, effect) : nil
      guard let sequence = effect.context.sequence, state.numbered[sequence.number] == nil else {
        return (action, RunningEffect?.none)
      }
      return (action, state.numbered[sequence.context.action]?.members[sequence.number])
    }
    if effect.isSupervised { supervisor?.didFinish(ObjectIdentifier(effect)) }
    if let action { for notify in action.waiters { notify() } }
    return sequence
  }

  /// Continues a sequence whose part has ended.
  func goOn(_ sequence: RunningEffect) async {
    var next: RunningEffect? = sequence
    while let sequence = next {
      if await deliver(.goOn(sequence)) { return }
      // The store is gone, so nothing more starts.
      next = remove(sequence)
    }
  }
}

extension EffectRegistry {
  /// Cancels the effects of an action, and those that it starts from then on.
  func cancel(action number: Int) {
    cancel { state in
      state.numbered[number]?.isCancelled = true
      return state.numbered[number]?.members ?? [:]
    }
  }

  /// Cancels the effects with an identifier.
  ///
  /// - Parameter effect: An effect to leave running, together with those that it is a part of.
  func cancel(_ id: EffectID, sparing effect: RunningEffect? = nil) {
    cancel { state in
      var effects = state.identified[id]?.members ?? [:]
      if effects.isEmpty { return [:] }
      var spared = effect
      while let next = spared {
        effects[next.number] = nil
        spared = next.context.parent
      }
      return effects
    }
  }

  /// Cancels the effects of children that are gone.
  func cancel(_ children: [ChildID]) {
    cancel { state in
      children.reduce(into: [:]) { effects, id in
        state.conditions[id] = nil
        effects.merge(state.children[id]?.members ?? [:]) { $1 }
      }
    }
  }

  /// Cancels a sequence and what runs of it.
  func cancel(_ sequence: RunningEffect) {
    cancel { state in
      guard var effects = state.numbered[sequence.number]?.members else { return [:] }
      effects[sequence.number] = sequence
      return effects
    }
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    cancel { state in
      // The parts of operations are only in the groups of their identifiers.
      (Array(state.numbered.values) + state.identified.values).reduce(into: [:]) {
        $0.merge($1.members) { $1 }
      }
    }
  }

  private func cancel(_ choose: (inout State) -> [Int: RunningEffect]) {
    let effects = state.withLock { choose(&$0) }.sorted { $0.key < $1.key }
    // First mark all: what runs on when one is cancelled must not be heard if it is meant, too.
    for (_, effect) in effects { effect.markAsCancelled() }
    for (_, effect) in effects { effect.cancel() }
  }
}

extension EffectRegistry {
  /// Whether nothing is running and nothing is remembered.
  var isEmpty: Bool {
    state.withLock { state in
      state.numbered.isEmpty && state.identified.isEmpty && state.children.isEmpty
        && state.conditions.isEmpty
    }
  }

  func isEmpty(_ group: EffectGroup) -> Bool {
    state.withLock { $0[group] == nil }
  }

  /// Each child with effects, and the `Condition` under which its state exists.
  var conditions: [ChildID: any Sendable] { state.withLock { $0.conditions } }

  /// The operations of an action, in the order in which they were made.
  func operations(ofAction number: Int) -> [RunningEffect] {
    state.withLock { $0.numbered[number]?.members ?? [:] }
      .values.filter(\.isSupervised).sorted { $0.number < $1.number }
  }

  /// Calls a closure when nothing of an action is running.
  func whenEmpty(action number: Int, _ notify: @escaping @Sendable () -> Void) {
    let isEmpty = state.withLock { state in
      state.numbered[number]?.waiters.append(notify)
      return state.numbered[number] == nil
    }
    if isEmpty { notify() }
  }
}

extension Dictionary where Value == EffectRegistry.Group {
  fileprivate mutating func join(_ key: Key, _ effect: RunningEffect) {
    self[key, default: Value()].members[effect.number] = effect
  }

  /// Removes a member from a group.
  ///
  /// - Returns: The group, if that is empty now and therefore removed.
  fileprivate mutating func leave(_ key: Key, _ effect: RunningEffect) -> Value? {
    guard let index = index(forKey: key) else { return nil }
    values[index].members[effect.number] = nil
    return values[index].members.isEmpty ? remove(at: index).value : nil
  }
}
