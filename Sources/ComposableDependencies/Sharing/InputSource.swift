/// Where a scope has the value of a dependency from.
///
/// Values can't be compared, so inputs of shared keys are distinguished by their source.
enum InputSource {
  case override(KeptOverride)
  case global(KeptOverride)
  /// Neither; the default of this key is read.
  case nothing(root: any DependencyKey.Type)

  /// A number that is the same for the same source, as long as what was made from it is kept.
  ///
  /// - Parameter makesIdentity: Whether an override gets an identity that has none.
  /// - Returns: `nil` for an override without an identity, from which nothing can have been made.
  func identity(makingOne makesIdentity: Bool) -> UInt? {
    switch self {
    case .override(let override):
      override.read {
        makesIdentity ? $0.identityOfInput.address : $0.knownIdentity?.address
      }
    case .global(let value): value.read { Self.identity(ofGlobal: $0) }
    case .nothing(let root): Self.identity(ofDefault: ObjectIdentifier(root))
    }
  }

  static func identity(ofGlobal value: Override) -> UInt {
    value.node.borrow { UInt(bitPattern: ObjectIdentifier($0)) } | 1
  }

  static func identity(ofDefault root: ObjectIdentifier) -> UInt { UInt(bitPattern: root) | 2 }

  static func isOfOverride(_ identity: UInt) -> Bool { identity & 3 == 0 }
}

extension OverrideNode? {
  /// Where this scope has the value of a key from.
  ///
  /// - Parameter isRead: Whether a `make` that this scope belongs to reads the key.
  func source(of key: any DependencyKey.Type, isRead: Bool) -> InputSource {
    guard let tracker else { return store.source(of: key, in: self) }
    if let override = store.override(of: key, in: self!) { return .override(override) }
    return tracker.source(of: key, isRead: isRead)
  }
}

extension GlobalStore {
  /// Where a scope over this store has the value of a key from.
  func source(of key: any DependencyKey.Type, in scope: OverrideNode?) -> InputSource {
    var found: InputSource?
    let root = find(key, in: scope) {
      found = .override($0.kept)
    } global: {
      found = .global($0.kept)
    }
    return found ?? .nothing(root: root!)
  }

  /// The identity of where a scope has the value of a key from; 0 if that isn't known at once.
  ///
  /// It retains nothing. So under its caller's lock, nothing is freed that was replaced meanwhile.
  ///
  /// - Parameter didFind: Called with the override, if there is one.
  func identity(
    of key: any DependencyKey.Type, in scope: OverrideNode?, didFind: (Override) -> Void = { _ in }
  ) -> UInt {
    var found: UInt?
    let root = find(key, in: scope) {
      didFind($0)
      found = $0.identityAddress
    } global: {
      found = InputSource.identity(ofGlobal: $0)
    }
    return found ?? InputSource.identity(ofDefault: ObjectIdentifier(root!))
  }
}
