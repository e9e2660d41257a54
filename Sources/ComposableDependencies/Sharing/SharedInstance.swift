/// An instance that a shared key has made, and what it was made from.
// Unchecked: all that changes does so while `SharedInstances` is locked for writing.
final class SharedInstance: @unchecked Sendable {
  /// The identities of its inputs, in the order of those of `inputs`.
  let identities: [UInt]
  /// `nil` once it is dropped.
  fileprivate(set) var value: Override?
  fileprivate let inputs: InputList
  fileprivate var next: Unowned<SharedInstance>?
  private weak let instances: SharedInstances?
  /// The global values that it was made from, so that nothing else has their addresses.
  private let globals: [Override]

  init(
    _ value: Override, identities: [UInt], globals: [Override], inputs: InputList,
    in instances: SharedInstances
  ) {
    self.value = value
    self.identities = identities
    self.globals = globals
    self.inputs = inputs
    self.instances = instances
  }

  var isDropped: Bool { instances?.isDropped(self) ?? true }

  /// Frees the instance, because something that it was made from is no more.
  func drop() { instances?.drop(self) }
}

/// The inputs that `make` of a shared key has read in one run, and the instances that were made by
/// runs that have read the same.
// Unchecked: it changes while `SharedInstances` is locked for writing.
@safe
final class InputList: @unchecked Sendable {
  let keys: [any DependencyKey.Type]
  /// What `make` has read in other runs, where what it reads depends on what it has read.
  let next: InputList?
  private let count: Int
  private let ids: UnsafeMutablePointer<ObjectIdentifier>
  private var buckets: UnsafeMutablePointer<Unowned<SharedInstance>?>
  private var mask = 3
  private var instanceCount = 0

  init(_ keys: [any DependencyKey.Type], next: InputList?) {
    self.keys = keys
    self.next = next
    count = keys.count
    unsafe ids = .allocate(capacity: count)
    for (index, key) in keys.enumerated() {
      unsafe (ids + index).initialize(to: ObjectIdentifier(key))
    }
    unsafe buckets = .allocate(capacity: 4)
    unsafe buckets.initialize(repeating: nil, count: 4)
  }

  deinit {
    forEach { $0.release() }
    unsafe buckets.deallocate()
    unsafe ids.deallocate()
  }

  func forEach(_ body: (Unowned<SharedInstance>) -> Void) {
    for bucket in 0...mask {
      var cursor = unsafe buckets[bucket]
      while let instance = cursor {
        cursor = instance.borrow { $0.next }
        body(instance)
      }
    }
  }
}

// MARK: - Finding

extension InputList {
  /// The instance for a scope.
  ///
  /// - Parameter watched: The inputs that must be told of the read.
  @inline(__always)
  func find(
    in scope: ScopeNode?, over store: GlobalStore, watched: inout [Unowned<Override>]
  ) -> Unowned<SharedInstance>? {
    unsafe withUnsafeTemporaryAllocation(of: UInt.self, capacity: count) { identities in
      for index in 0..<count {
        let identity = unsafe identity(
          ofInput: index, id: ids[index], in: scope, over: store, watched: &watched)
        unsafe identities.initializeElement(at: index, to: identity)
      }
      return unsafe find(UnsafeBufferPointer(identities))
    }
  }

  @inline(__always)
  private func identity(
    ofInput index: Int, id: ObjectIdentifier, in scope: ScopeNode?, over store: GlobalStore,
    watched: inout [Unowned<Override>]
  ) -> UInt {
    let hash = KeyHash(id)
    let use = store.globalKeys.use(of: id, hash)
    if use != .isAliased, let scope, let override = scope.find(id, hash) {
      if override.isWatched { watched.append(override) }
      return override.address
    }
    if use == .none { return InputSource.identity(ofDefault: id) }
    return store.identity(of: keys[index], in: scope) {
      if $0.isWatched { watched.append($0) }
    }
  }

  func find(_ identities: UnsafeBufferPointer<UInt>) -> Unowned<SharedInstance>? {
    var cursor = unsafe buckets[bucket(of: identities)]
    while let instance = cursor {
      let (isSame, next) = instance.borrow { instance in
        (unsafe instance.isMade(from: identities), instance.next)
      }
      if isSame { return instance }
      cursor = next
    }
    return nil
  }

  private func bucket(of identities: UnsafeBufferPointer<UInt>) -> Int {
    var hash: UInt = 0
    for index in 0..<identities.count {
      hash = unsafe (hash &* 31) ^ identities[index]
    }
    return KeyHash(hash).slot(mask)
  }

  private func bucket(of instance: SharedInstance) -> Int {
    unsafe instance.identities.withUnsafeBufferPointer { identities -> Int in
      unsafe bucket(of: identities)
    }
  }
}

extension SharedInstance {
  fileprivate func isMade(from other: UnsafeBufferPointer<UInt>) -> Bool {
    for index in 0..<other.count {
      if unsafe identities[index] != other[index] { return false }
    }
    return true
  }
}

// MARK: - Changing

extension InputList {
  func insert(_ instance: SharedInstance) {
    instanceCount += 1
    if instanceCount > mask { grow() }
    link(.retaining(instance))
  }

  /// Removes an instance, and returns what the caller must release after the lock.
  func remove(_ instance: SharedInstance) -> Override? {
    guard let value = instance.value else { return nil }
    instance.value = nil
    instanceCount -= 1
    let bucket = bucket(of: instance)
    let removed = Unowned(instance)
    if unsafe buckets[bucket] == removed {
      unsafe buckets[bucket] = instance.next
    } else {
      var before = unsafe buckets[bucket]!
      while let next = before.borrow({ $0.next }), next != removed { before = next }
      before.borrow { $0.next = instance.next }
    }
    removed.release()
    return value
  }

  private func link(_ instance: Unowned<SharedInstance>) {
    instance.borrow { object in
      let bucket = bucket(of: object)
      object.next = unsafe buckets[bucket]
      unsafe buckets[bucket] = instance
    }
  }

  private func grow() {
    var all: [Unowned<SharedInstance>] = []
    forEach { all.append($0) }
    unsafe buckets.deallocate()
    mask = 2 * mask + 1
    unsafe buckets = .allocate(capacity: mask + 1)
    unsafe buckets.initialize(repeating: nil, count: mask + 1)
    for instance in all { link(instance) }
  }
}

extension SharedInstance {
  /// Removes this from its list, and returns what the caller must release after the lock.
  func removeFromList() -> Override? { inputs.remove(self) }

  /// Whether a global value or an alias has changed that this was made from.
  func isOutdated(over store: GlobalStore) -> Bool {
    zip(inputs.keys, identities).contains { key, identity in
      !InputSource.isOfOverride(identity)
        && store.identity(of: key, in: nil) != identity
    }
  }
}
