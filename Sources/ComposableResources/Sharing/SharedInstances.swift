internal import ComposableDependencies
internal import Synchronization

/// The instances that shared keys have made over one global store.
///
/// A tree: where a scope gets the value of one input decides which input to look at next, until an
/// instance is found. So a read looks only at what the `make` for this scope asked for.
final class SharedInstances: KeyListener {
  private let first = SharedInput(nil)
  /// The keys of all inputs that aren't overridden.
  private let globalKeys = Mutex<Set<ObjectIdentifier>>([])

  /// The instance of a shared key for a scope, which counts as a read of its inputs.
  func find(_ key: any DependencyKey.Type, in scope: DependencyScope) -> Override? {
    var next = first[ObjectIdentifier(key)]
    var isObserved = scope.observesReads
    while case .input(let input) = next {
      let source = scope.source(of: input.key!)
      if case .override(let override) = source, override.observer != nil { isObserved = true }
      next = input[source.identity]
    }
    guard case .instance(let instance) = next else { return nil }
    if isObserved { for input in instance.inputs { scope.noteRead(of: input) } }
    return instance.value
  }

  /// Keeps an instance, unless another thread has kept one that was made from the same; returns the
  /// one that is kept.
  func keep(
    _ value: Override, from reads: [KeyProbe.Read], in scope: DependencyScope
  ) -> Override {
    let new = SharedInstance(value: value, inputs: reads.map(\.key))
    var rest = reads
    var path: [(input: SharedInput, source: ValueSource)] = []
    var next = first.next(for: .defaultValue(of: value.key)) { rest.next(before: new) }
    while case .input(let input) = next {
      let key = input.key!
      let source = rest.first { $0.key == key }?.source ?? scope.source(of: key)
      rest.removeAll { $0.key == key }
      if case .override = source {
      } else {
        globalKeys.withLock { _ = $0.insert(ObjectIdentifier(key)) }
      }
      next = input.next(for: source) { rest.next(before: new) }
      path.append((input, source))
    }
    // What was set after `make` had read it, and before the instance was kept.
    for case (let input, let source) in path where !source.isOverride {
      let current = scope.globalSource(of: input.key!)
      if current.identity != source.identity { input.remove(source.identity) }
    }
    guard case .instance(let kept) = next else { return value }
    return kept.value
  }

  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: (any DependencyKey.Type) -> ValueSource
  ) {
    if let keys, globalKeys.withLock({ $0.isDisjoint(with: keys) }) { return }
    first.removeOutdated(keys, source)
  }
}

/// An instance of a shared key, and the keys that it was made from.
struct SharedInstance {
  let value: Override
  let inputs: [any DependencyKey.Type]
}

/// One input on the way to instances.
final class SharedInput: Sendable {
  enum Next {
    case input(SharedInput)
    case instance(SharedInstance)
  }

  private struct State {
    /// What comes next, for each source of the input's value.
    var next: [ObjectIdentifier: Next] = [:]
    /// The sources that aren't overrides, with the global values, so that nothing else has their
    /// addresses.
    var globals: [ObjectIdentifier: Override?] = [:]
  }

  /// `nil` for the first, where shared keys take the place of sources.
  let key: (any DependencyKey.Type)?
  private let state = Mutex(State())

  init(_ key: (any DependencyKey.Type)?) {
    self.key = key
  }

  subscript(source: ObjectIdentifier) -> Next? { state.withLock { $0.next[source] } }

  /// What comes next for a source, made if there is nothing yet.
  func next(for source: ValueSource, _ make: () -> Next) -> Next {
    let identity = source.identity
    let (next, isNew) = state.withLock { state in
      if let next = state.next[identity] { return (next, false) }
      let new = make()
      state.next[identity] = new
      switch source {
      case .override: break
      case .global(let value): state.globals[identity] = .some(value)
      case .defaultValue: state.globals[identity] = .some(nil)
      }
      return (new, true)
    }
    if isNew, case .override(let override) = source {
      let inputs = override.attached { InputsOfOverride(override) } as! InputsOfOverride
      inputs.add(self)
    }
    return next
  }

  func remove(_ source: ObjectIdentifier) {
    // Released after the lock, because freeing an instance may run user code.
    let removed = state.withLock { state in
      (state.next.removeValue(forKey: source), state.globals.removeValue(forKey: source))
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes what was made from global values, defaults or aliases that have changed.
  func removeOutdated(
    _ keys: Set<ObjectIdentifier>?, _ source: (any DependencyKey.Type) -> ValueSource
  ) {
    if let key, keys?.contains(ObjectIdentifier(key)) ?? true {
      let current = source(key)
      for outdated in state.withLock({ Array($0.globals.keys) })
      where outdated != current.identity { remove(outdated) }
    }
    for case .input(let input) in state.withLock({ Array($0.next.values) }) {
      input.removeOutdated(keys, source)
    }
  }
}

/// The inputs whose value an override is, which forget it when it is freed.
private final class InputsOfOverride: Sendable {
  private struct WeakInput: Sendable {
    weak let input: SharedInput?
  }

  private struct State {
    var inputs: [WeakInput] = []
    /// The number of inputs above which those that are freed are removed.
    var limit = 8
  }

  private let override: ObjectIdentifier
  private let state = Mutex(State())

  init(_ override: Override) {
    self.override = ObjectIdentifier(override)
  }

  deinit {
    for weak in state.withLock({ $0.inputs }) { weak.input?.remove(override) }
  }

  func add(_ input: SharedInput) {
    let crowded = state.withLock { state -> [WeakInput] in
      state.inputs.append(WeakInput(input: input))
      guard state.inputs.count > state.limit else { return [] }
      defer { state.inputs = [] }
      return state.inputs
    }
    if crowded.isEmpty { return }
    // Outside the lock, because this may free the last reference to an input.
    let alive = crowded.filter { $0.input != nil }
    state.withLock { state in
      state.inputs += alive
      state.limit = max(8, 2 * state.inputs.count)
    }
  }
}

extension [KeyProbe.Read] {
  /// What comes before an instance: the input that was read next, or the instance itself.
  fileprivate func next(before instance: SharedInstance) -> SharedInput.Next {
    first.map { .input(SharedInput($0.key)) } ?? .instance(instance)
  }
}

extension ValueSource {
  fileprivate var isOverride: Bool {
    if case .override = self { true } else { false }
  }
}
