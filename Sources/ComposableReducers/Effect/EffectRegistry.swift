internal import Synchronization

/// The running effects of one store: each under its number, and in the groups that it belongs to.
///
/// Numbers increase, so effects are cancelled in the order in which they were made.
package final class EffectRegistry: Sendable {
  /// Passes a request to the store; returns `nil` if the store is gone.
  package typealias Deliver = @Sendable (EffectRequest) async -> Void?

  private struct Group {
    var members: Set<Int> = []
    /// Whether effects that join are cancelled, too.
    var isCancelled = false
    /// Called when the last member leaves.
    var waiters: [@Sendable () -> Void] = []
  }

  private struct State {
    var count = 0
    var effects: [Int: RunningEffect] = [:]
    var groups: [EffectGroup: Group] = [:]
    /// For each child with effects, the `Condition` under which its state exists.
    var conditions: [ChildID: any Sendable] = [:]
    var deliver: Deliver?

    mutating func nextNumber() -> Int {
      count += 1
      return count
    }

    mutating func leave(_ group: EffectGroup, _ number: Int) -> [@Sendable () -> Void] {
      guard groups[group]?.members.remove(number) != nil, groups[group]!.members.isEmpty else {
        return []
      }
      if case .child(let id) = group { conditions[id] = nil }
      return groups.removeValue(forKey: group)!.waiters
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
      state.effects[effect.number] = effect
      for group in context.groups {
        state.groups[group, default: Group()].members.insert(effect.number)
      }
      for child in context.children { state.conditions[child.id] = child.condition }
      return (effect, state.groups[.action(context.action)]?.isCancelled == true)
    }
    if isCancelled { effect.cancel() }
    return effect
  }

  /// Removes an effect that has ended.
  ///
  /// - Returns: The sequence that must go on, because its part has ended.
  func remove(_ effect: RunningEffect) -> RunningEffect? {
    let (waiters, sequence) = state.withLock { state in
      guard state.effects.removeValue(forKey: effect.number) != nil else {
        return ([@Sendable () -> Void](), RunningEffect?.none)
      }
      let waiters = effect.context.groups.flatMap { state.leave($0, effect.number) }
      guard let parent = effect.context.sequence, state.groups[.part(of: parent)] == nil else {
        return (waiters, nil)
      }
      return (waiters, state.effects[parent])
    }
    if effect.isSupervised { supervisor?.didFinish(ObjectIdentifier(effect)) }
    for notify in waiters { notify() }
    return sequence
  }

  /// Removes an effect that has ended, and lets the sequence that it was a part of go on.
  func end(_ effect: RunningEffect) async {
    var ended = effect
    while let sequence = remove(ended) {
      if await deliver(.goOn(sequence)) { return }
      // The store is gone, so nothing more starts.
      ended = sequence
    }
  }

  /// Lets nobody wait for an effect any more.
  func abandon(_ effect: RunningEffect) {
    let waiters = state.withLock { $0.leave(.action(effect.context.action), effect.number) }
    for notify in waiters { notify() }
  }
}

extension EffectRegistry {
  /// Cancels the effects of a group.
  ///
  /// - Parameter number: An effect that goes on, together with those that it is a part of.
  func cancel(_ group: EffectGroup, sparing number: Int? = nil) {
    cancel { state in
      if case .action = group { state.groups[group]?.isCancelled = true }
      guard var numbers = state.groups[group]?.members else { return [] }
      var spared = number
      while let number = spared {
        numbers.remove(number)
        spared = state.effects[number]?.context.parent
      }
      return numbers
    }
  }

  /// Cancels the effects of children that are gone.
  func cancel(_ children: [ChildID]) {
    cancel { state in
      children.reduce(into: []) { numbers, id in
        state.conditions[id] = nil
        numbers.formUnion(state.groups[.child(id)]?.members ?? [])
      }
    }
  }

  /// Cancels a sequence and what runs of it.
  func cancel(_ sequence: RunningEffect) {
    cancel { state in
      state.groups[.part(of: sequence.number)]?.members.union([sequence.number]) ?? []
    }
  }

  /// Cancels everything that is running.
  package func cancelAll() {
    cancel { Set($0.effects.keys) }
  }

  private func cancel(_ choose: (inout State) -> Set<Int>) {
    let effects = state.withLock { state in
      choose(&state).sorted().compactMap { state.effects[$0] }
    }
    // First mark all: what runs on when one is cancelled must not be heard if it is meant, too.
    for effect in effects { effect.markAsCancelled() }
    for effect in effects { effect.cancel() }
  }

  /// Whether an effect, or one that it is a part of, was cancelled.
  func isCancelled(_ effect: RunningEffect) -> Bool {
    if effect.isMarkedAsCancelled { return true }
    guard let parent = effect.context.parent else { return false }
    return state.withLock { state in
      var number: Int? = parent
      while let current = number, let effect = state.effects[current] {
        if effect.isMarkedAsCancelled { return true }
        number = effect.context.parent
      }
      return false
    }
  }
}

extension EffectRegistry {
  /// Whether nothing is running and nothing is remembered.
  var isEmpty: Bool {
    state.withLock { $0.effects.isEmpty && $0.groups.isEmpty && $0.conditions.isEmpty }
  }

  func isEmpty(_ group: EffectGroup) -> Bool {
    state.withLock { $0.groups[group] == nil }
  }

  /// Each child with effects, and the `Condition` under which its state exists.
  var conditions: [ChildID: any Sendable] { state.withLock { $0.conditions } }

  /// The operations of a group, in the order in which they were made.
  func operations(of group: EffectGroup) -> [RunningEffect] {
    state.withLock { state in
      (state.groups[group]?.members ?? []).sorted().compactMap { state.effects[$0] }
    }.filter(\.isSupervised)
  }

  /// Calls a closure when a group has no members.
  func whenEmpty(_ group: EffectGroup, _ notify: @escaping @Sendable () -> Void) {
    let isEmpty = state.withLock { state in
      state.groups[group]?.waiters.append(notify)
      return state.groups[group] == nil
    }
    if isEmpty { notify() }
  }
}
