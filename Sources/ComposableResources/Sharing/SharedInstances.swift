internal import ComposableDependencies
internal import Synchronization

/// The instances that shared keys have made over one global store.
final class SharedInstances: KeyListener {
  /// No code of a user runs under a lock: what is removed is freed after it.
  private let tree = StripedLock(SharedTree())

  /// Calls `body` with the instance of a shared key for a scope, if there is one.
  ///
  /// Counts as a read of its inputs. `body` may run under a lock, so that no two threads retain the
  /// instance; it only copies the value out.
  ///
  /// - Returns: Whether there is one.
  func find(
    _ key: any DependencyKey.Type, in scope: DependencyScope, _ body: (Override) -> Void
  ) -> Bool {
    var observed: [any DependencyKey.Type] = []
    var watched: Override?
    var isFound = false
    tree.read { tree in
      guard let instance = tree.find(key, for: scope, &observed) else { return }
      isFound = true
      if observed.isEmpty { instance.borrow(body) } else { watched = instance.object }
    }
    guard let watched else { return isFound }
    for input in observed { scope.noteRead(of: input) }
    // Another thread may have set an input before its read was noted, so that the reader isn't notified.
    // The scope then has another instance now, or none.
    var now: Unretained<Override>?
    tree.read { now = $0.find(key, for: scope, &observed) }
    guard now == Unretained(watched) else { return find(key, in: scope, body) }
    body(watched)
    return true
  }

  /// Keeps an instance, unless another thread has kept one that was made from the same; returns the
  /// one that is kept.
  func keep(
    _ value: Override, from reads: [Read], in scope: DependencyScope
  ) -> Override {
    var sources: [ValueSource] = []
    let kept = tree.write { tree in
      // If an input was set since `make` read it, `keysDidChange` may have run already, and nothing
      // would remove the instance.
      for read in reads where !read.source.isOverride {
        sources.append(scope.globalSource(of: read.key))
        if sources.last!.identity != read.source.identity { return value }
      }
      return tree.keep(value, from: reads, in: scope, path: &sources)
    }
    for case .override(let override) in sources {
      let attached = override.attached { InstancesOfOverride(override) }
      // Sound: no other module of this package attaches anything.
      unsafe unsafeDowncast(attached, to: InstancesOfOverride.self).add(self)
    }
    return kept
  }

  func keysDidChange(
    _ keys: Set<ObjectIdentifier>?, _ source: @Sendable (any DependencyKey.Type) -> ValueSource
  ) {
    var isInput = false
    tree.read { isInput = $0.hasInput(among: keys) }
    if !isInput { return }
    let removed = tree.write { $0.removeOutdated(keys, source) }
    withExtendedLifetime(removed) {}
  }

  fileprivate func remove(_ override: ObjectIdentifier) {
    let removed = tree.write { $0.remove(override) }
    withExtendedLifetime(removed) {}
  }
}

/// The ways from shared keys to their instances.
///
/// Where a scope gets the value of one input decides which input to look at next, until an instance
/// is found. So a read looks only at what the `make` for this scope asked for.
private struct SharedTree: ~Copyable {
  /// The first step of each shared key.
  private var first: [ObjectIdentifier: Step] = [:]
  /// The inputs where an override decides, by the override; and those where a global value or a
  /// default decides, by the key.
  private var deciding: [ObjectIdentifier: [ObjectIdentifier: SharedInput]] = [:]

  deinit {
    for step in first.values { step.release() }
  }

  /// The instance for a scope, if there is one.
  ///
  /// It lives as long as the lock is held.
  ///
  /// - Parameter observed: Gets the inputs whose read notifies something.
  borrowing func find(
    _ key: any DependencyKey.Type, for scope: DependencyScope,
    _ observed: inout [any DependencyKey.Type]
  ) -> Unretained<Override>? {
    let watchesReads = scope.watchesReads
    var step = first[ObjectIdentifier(key)]
    while case .input(let input) = step {
      step = input.borrow { input in
        var isObserved = watchesReads
        let source = scope.sourceIdentity(of: input.key, isObserved: &isObserved)
        if isObserved { observed.append(input.key) }
        return input.next[source]
      }
    }
    guard case .instance(let instance) = step else { return nil }
    return instance
  }

  /// Keeps an instance, unless there is one that was made from the same; returns the one that is kept.
  ///
  /// - Parameter path: Gets the sources that lead to the instance. They must be released after the
  ///   lock.
  mutating func keep(
    _ value: Override, from reads: [Read], in scope: DependencyScope,
    path: inout [ValueSource]
  ) -> Override {
    var rest = reads
    func nextStep() -> Step {
      rest.first.map { .input(.retaining(SharedInput($0.key))) } ?? .instance(.retaining(value))
    }
    var step = first[value.id] ?? nextStep()
    first[value.id] = step
    while true {
      switch step {
      case .instance(let instance): return instance.object
      case .input(let input):
        let input = input.object
        let source = rest.first { $0.key == input.key }?.source ?? scope.source(of: input.key)
        rest.removeAll { $0.key == input.key }
        path.append(source)
        if let next = input.next[source.identity] {
          step = next
        } else {
          step = nextStep()
          add(step, to: input, for: source)
        }
      }
    }
  }

  private mutating func add(_ step: Step, to input: SharedInput, for source: ValueSource) {
    input.next[source.identity] = step
    switch source {
    case .override: break
    case .global(let value): input.global[source.identity] = .some(value)
    case .defaultValue: input.global[source.identity] = .some(nil)
    }
    deciding[input.decider(source.identity), default: [:]][ObjectIdentifier(input)] = input
  }

  /// Removes what was made from an override.
  ///
  /// - Returns: What must be released after the lock.
  mutating func remove(_ override: ObjectIdentifier) -> [Override] {
    var removed: [Override] = []
    for input in (deciding.removeValue(forKey: override) ?? [:]).values {
      if let next = input.next.removeValue(forKey: override) { forget(next, &removed) }
    }
    return removed
  }

  /// Whether there may be an instance that was made from a global value or a default of these keys.
  borrowing func hasInput(among keys: Set<ObjectIdentifier>?) -> Bool {
    keys?.contains { deciding[$0] != nil } ?? true
  }

  /// Removes what was made from global values, defaults or aliases that have changed.
  ///
  /// - Returns: What must be released after the lock.
  mutating func removeOutdated(
    _ keys: Set<ObjectIdentifier>?,
    _ source: @Sendable (any DependencyKey.Type) -> ValueSource
  ) -> [Override] {
    var removed: [Override] = []
    let inputs =
      keys.map { keys in keys.flatMap { (deciding[$0] ?? [:]).values } }
      ?? deciding.values.flatMap(\.values)
    for input in inputs where !input.global.isEmpty {
      let source = source(input.key)
      if case .global(let value) = source { removed.append(value) }
      for outdated in input.global.keys where outdated != source.identity {
        if let next = input.next.removeValue(forKey: outdated) { forget(next, &removed) }
        if let value = input.global.removeValue(forKey: outdated)! { removed.append(value) }
      }
      if input.global.isEmpty { remove(input, decidedBy: ObjectIdentifier(input.key)) }
    }
    return removed
  }

  /// Forgets a step that was removed, and all steps after it.
  private mutating func forget(_ step: Step, _ removed: inout [Override]) {
    switch step {
    case .instance(let instance): removed.append(instance.takeRetained())
    case .input(let input):
      let input = input.takeRetained()
      for (source, next) in input.next {
        remove(input, decidedBy: input.decider(source))
        forget(next, &removed)
      }
      input.next = [:]
      removed += input.global.values.compactMap(\.self)
    }
  }

  private mutating func remove(_ input: SharedInput, decidedBy decider: ObjectIdentifier) {
    deciding[decider]?[ObjectIdentifier(input)] = nil
    if deciding[decider]?.isEmpty == true { deciding[decider] = nil }
  }
}

/// What to look at next, or the end of the way.
///
/// The dictionary that a step is in owns the step's object. A read doesn't retain it, because threads
/// that retain the same object slow each other down.
private enum Step {
  case input(Unretained<SharedInput>)
  case instance(Unretained<Override>)

  func release() {
    switch self {
    case .input(let input): input.release()
    case .instance(let instance): instance.release()
    }
  }
}

/// An input whose source decides what comes next.
private final class SharedInput {
  let key: any DependencyKey.Type
  /// What comes next, for each source of the input's value.
  var next: [ObjectIdentifier: Step] = [:]
  /// The sources that aren't overrides, with the global values, so that nothing else has their
  /// addresses.
  var global: [ObjectIdentifier: Override?] = [:]

  init(_ key: any DependencyKey.Type) {
    self.key = key
  }

  deinit {
    for step in next.values { step.release() }
  }

  /// What removes a source: its override, or a change of the key.
  func decider(_ source: ObjectIdentifier) -> ObjectIdentifier {
    global[source] == nil ? source : ObjectIdentifier(key)
  }
}

/// Where there are instances made from an override, which are removed when it is freed.
private final class InstancesOfOverride: Sendable {
  private struct WeakInstances: Sendable {
    weak let object: SharedInstances?
  }

  private let override: ObjectIdentifier
  /// Those over each global store, by their identity.
  private let all = Mutex<[ObjectIdentifier: WeakInstances]>([:])

  init(_ override: Override) {
    self.override = ObjectIdentifier(override)
  }

  deinit {
    for instances in all.withLock({ $0 }).values { instances.object?.remove(override) }
  }

  func add(_ instances: SharedInstances) {
    all.withLock { $0[ObjectIdentifier(instances)] = WeakInstances(object: instances) }
  }
}

extension ValueSource {
  fileprivate var isOverride: Bool {
    if case .override = self { true } else { false }
  }
}
