internal import ComposableDependencies
internal import Synchronization

/// The instances that shared keys have made over one global store.
final class SharedInstances: KeyListener {
  /// No code of a user runs under the lock: what is removed is freed after it.
  private let tree = Mutex(SharedTree())

  /// Calls `read` with the instance of a shared key for a scope, which counts as a read of its inputs.
  ///
  /// - Returns: Whether there is one.
  func find(
    _ key: any DependencyKey.Type, in scope: DependencyScope, _ read: (Override) -> Void
  ) -> Bool {
    var isObserved = scope.observesReads
    var inputs: [any DependencyKey.Type] = []
    let isFound = tree.withLock { tree in
      var next = tree.first[ObjectIdentifier(key)]
      while let node = next, let key = node.key {
        next = node.next[scope.sourceIdentity(of: key, isWatched: &isObserved)]
      }
      guard let node = next, let instance = node.instance else { return false }
      read(instance)
      if isObserved { inputs = node.inputs }
      return true
    }
    for input in inputs { scope.noteRead(of: input) }
    return isFound
  }

  /// Keeps an instance, unless another thread has kept one that was made from the same; returns the
  /// one that is kept.
  func keep(
    _ value: Override, from reads: [KeyProbe.Read], in scope: DependencyScope
  ) -> Override {
    var sources: [ValueSource] = []
    let kept = tree.withLock { tree in
      // What was set after `make` had read it isn't reported any more.
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
    let removed = tree.withLock { $0.removeOutdated(keys, source) }
    withExtendedLifetime(removed) {}
  }

  fileprivate func remove(_ override: ObjectIdentifier) {
    let removed = tree.withLock { $0.remove(override) }
    withExtendedLifetime(removed) {}
  }
}

/// The ways from shared keys to their instances.
///
/// Where a scope gets the value of one input decides which input to look at next, until an instance
/// is found. So a read looks only at what the `make` for this scope asked for.
private struct SharedTree {
  /// The first node of each shared key.
  private(set) var first: [ObjectIdentifier: SharedNode] = [:]
  /// The nodes where an override decides, by the override; and those where a global value or a default
  /// decides, by the key.
  private var deciding: [ObjectIdentifier: [ObjectIdentifier: SharedNode]] = [:]

  /// Keeps an instance, unless there is one that was made from the same; returns the one that is kept.
  ///
  /// - Parameter path: Gets the sources that lead to the instance. They must be released after the
  ///   lock.
  mutating func keep(
    _ value: Override, from reads: [KeyProbe.Read], in scope: DependencyScope,
    path: inout [ValueSource]
  ) -> Override {
    var rest = reads
    func nextNode() -> SharedNode {
      rest.first.map { SharedNode(asking: $0.key) } ?? SharedNode(value, inputs: reads.map(\.key))
    }
    var node = first[value.id] ?? nextNode()
    first[value.id] = node
    while let key = node.key {
      let source = rest.first { $0.key == key }?.source ?? scope.source(of: key)
      rest.removeAll { $0.key == key }
      path.append(source)
      if let next = node.next[source.identity] {
        node = next
        continue
      }
      let next = nextNode()
      node.next[source.identity] = next
      switch source {
      case .override: break
      case .global(let value): node.global[source.identity] = .some(value)
      case .defaultValue: node.global[source.identity] = .some(nil)
      }
      deciding[node.decider(source.identity), default: [:]][ObjectIdentifier(node)] = node
      node = next
    }
    return node.instance!
  }

  /// Removes what was made from an override.
  ///
  /// - Returns: What must be released after the lock.
  mutating func remove(_ override: ObjectIdentifier) -> [Override] {
    var removed: [Override] = []
    for node in (deciding.removeValue(forKey: override) ?? [:]).values {
      if let next = node.next.removeValue(forKey: override) { forget(next, &removed) }
    }
    return removed
  }

  /// Removes what was made from global values, defaults or aliases that have changed.
  ///
  /// - Returns: What must be released after the lock.
  mutating func removeOutdated(
    _ keys: Set<ObjectIdentifier>?,
    _ source: @Sendable (any DependencyKey.Type) -> ValueSource
  ) -> [Override] {
    var removed: [Override] = []
    let nodes =
      keys.map { keys in keys.flatMap { (deciding[$0] ?? [:]).values } }
      ?? deciding.values.flatMap(\.values)
    for node in nodes where !node.global.isEmpty {
      let source = source(node.key!)
      if case .global(let value) = source { removed.append(value) }
      for outdated in node.global.keys where outdated != source.identity {
        if let next = node.next.removeValue(forKey: outdated) { forget(next, &removed) }
        if let value = node.global.removeValue(forKey: outdated)! { removed.append(value) }
      }
      if node.global.isEmpty { remove(node, decidedBy: ObjectIdentifier(node.key!)) }
    }
    return removed
  }

  /// Forgets a node that was removed, and all nodes below it.
  private mutating func forget(_ node: SharedNode, _ removed: inout [Override]) {
    if let instance = node.instance { removed.append(instance) }
    for (source, next) in node.next {
      remove(node, decidedBy: node.decider(source))
      forget(next, &removed)
    }
    removed += node.global.values.compactMap(\.self)
  }

  private mutating func remove(_ node: SharedNode, decidedBy decider: ObjectIdentifier) {
    deciding[decider]?[ObjectIdentifier(node)] = nil
    if deciding[decider]?.isEmpty == true { deciding[decider] = nil }
  }
}

/// An input to look at, or an instance.
private final class SharedNode {
  /// The input; `nil` at an instance.
  let key: (any DependencyKey.Type)?
  /// What comes next, for each source of the input's value.
  var next: [ObjectIdentifier: SharedNode] = [:]
  /// The sources that aren't overrides, with the global values, so that nothing else has their
  /// addresses.
  var global: [ObjectIdentifier: Override?] = [:]

  let instance: Override?
  /// What the instance was made from.
  let inputs: [any DependencyKey.Type]

  init(asking key: any DependencyKey.Type) {
    self.key = key
    instance = nil
    inputs = []
  }

  init(_ instance: Override, inputs: [any DependencyKey.Type]) {
    key = nil
    self.instance = instance
    self.inputs = inputs
  }

  /// What removes a source: its override, or a change of the key.
  func decider(_ source: ObjectIdentifier) -> ObjectIdentifier {
    global[source] == nil ? source : ObjectIdentifier(key!)
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
