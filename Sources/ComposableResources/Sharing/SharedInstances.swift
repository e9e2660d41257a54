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
  /// What decides a step: the input before it, and where a scope gets that input's value.
  ///
  /// Before the first step of a shared key is input 0, with the key as its source.
  struct Edge: Hashable {
    let input: Int
    let source: ObjectIdentifier
  }

  /// What to look at next, or the end of the way.
  ///
  /// An instance is retained by its step. A read doesn't retain it, because threads that retain the
  /// same object slow each other down.
  enum Step {
    case input(Int, any DependencyKey.Type)
    case instance(Unretained<Override>)
  }

  /// An input whose source decides what comes next.
  private struct Input {
    let key: any DependencyKey.Type
    var sources: Set<ObjectIdentifier> = []
    /// The sources that aren't overrides, kept so that nothing else has their addresses.
    var others: [ObjectIdentifier: ValueSource] = [:]
  }

  private var steps: [Edge: Step] = [:]
  /// The inputs by their numbers, which a read doesn't look at.
  private var inputs: [Int: Input] = [:]
  private var lastInput = 0
  /// The inputs where an override decides, by the override; and those where a global value or a
  /// default decides, by the key.
  private var deciding: [ObjectIdentifier: Set<Int>] = [:]

  deinit {
    for case .instance(let instance) in steps.values { instance.release() }
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
    var step = steps[Edge(input: 0, source: ObjectIdentifier(key))]
    while case .input(let input, let key) = step {
      var isObserved = watchesReads
      let source = scope.sourceIdentity(of: key, isObserved: &isObserved)
      if isObserved { observed.append(key) }
      step = steps[Edge(input: input, source: source)]
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
    var edge = Edge(input: 0, source: value.id)
    while true {
      switch steps[edge] {
      case .instance(let instance): return instance.object
      case .input(let input, let key):
        let source = rest.first { $0.key == key }?.source ?? scope.source(of: key)
        rest.removeAll { $0.key == key }
        path.append(source)
        add(source, to: input, key)
        edge = Edge(input: input, source: source.identity)
      case nil:
        guard let key = rest.first?.key else {
          steps[edge] = .instance(.retaining(value))
          return value
        }
        lastInput += 1
        inputs[lastInput] = Input(key: key)
        steps[edge] = .input(lastInput, key)
      }
    }
  }

  private mutating func add(_ source: ValueSource, to input: Int, _ key: any DependencyKey.Type) {
    inputs[input]!.sources.insert(source.identity)
    var decider = source.identity
    if !source.isOverride {
      inputs[input]!.others[source.identity] = source
      decider = ObjectIdentifier(key)
    }
    deciding[decider, default: []].insert(input)
  }

  /// Removes what was made from an override.
  ///
  /// - Returns: What must be released after the lock.
  mutating func remove(_ override: ObjectIdentifier) -> [Any] {
    var removed: [Any] = []
    for input in deciding.removeValue(forKey: override) ?? [] {
      forget(override, of: input, &removed)
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
  ) -> [Any] {
    var removed: [Any] = []
    for number in keys?.flatMap({ deciding[$0] ?? [] }) ?? Array(inputs.keys) {
      // It may be forgotten already, because another of these inputs was before it.
      guard let input = inputs[number] else { continue }
      let source = source(input.key)
      removed += [source, input] as [Any]
      for outdated in input.others.keys where outdated != source.identity {
        inputs[number]!.others[outdated] = nil
        forget(outdated, of: number, &removed)
      }
      if inputs[number]!.others.isEmpty { remove(number, decidedBy: ObjectIdentifier(input.key)) }
    }
    return removed
  }

  /// Forgets the step after an input's source, and all steps after that.
  private mutating func forget(_ source: ObjectIdentifier, of input: Int, _ removed: inout [Any]) {
    inputs[input]?.sources.remove(source)
    switch steps.removeValue(forKey: Edge(input: input, source: source)) {
    case .instance(let instance): removed.append(instance.takeRetained())
    case .input(let next, let key):
      let nextInput = inputs.removeValue(forKey: next)!
      removed.append(nextInput)
      remove(next, decidedBy: ObjectIdentifier(key))
      for source in nextInput.sources {
        remove(next, decidedBy: source)
        forget(source, of: next, &removed)
      }
    case nil: break
    }
  }

  private mutating func remove(_ input: Int, decidedBy decider: ObjectIdentifier) {
    deciding[decider]?.remove(input)
    if deciding[decider]?.isEmpty == true { deciding[decider] = nil }
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
