/// Where a scope has the value of a dependency from.
///
/// Values can't be compared, so inputs of shared keys are distinguished by their source.
package enum InputSource {
  case override(Override)
  case global(Override)
  /// Neither; the default of this key is read.
  case nothing(root: any DependencyKey.Type)

  /// A number that is the same for the same source, as long as what was made from it is kept.
  var identity: UInt {
    switch self {
    case .override(let override): Unowned(override).address
    case .global(let value): Self.identity(ofGlobal: Unowned(value))
    case .nothing(let root): Self.identity(ofDefault: ObjectIdentifier(root))
    }
  }

  static func identity(ofGlobal value: Unowned<Override>) -> UInt { value.address | 1 }

  static func identity(ofDefault root: ObjectIdentifier) -> UInt { UInt(bitPattern: root) | 2 }

  static func isOfOverride(_ identity: UInt) -> Bool { identity & 3 == 0 }
}

extension ScopeNode? {
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
  func source(of key: any DependencyKey.Type, in scope: ScopeNode?) -> InputSource {
    var found: InputSource?
    let root = find(key, in: scope) {
      found = .override($0.object)
    } global: {
      found = .global($0.object)
    }
    return found ?? .nothing(root: root!)
  }

  /// The identity of where a scope has the value of a key from.
  ///
  /// It retains nothing. So under its caller's lock, nothing is freed that was replaced meanwhile.
  ///
  /// - Parameter didFind: Called with the override, if there is one.
  func identity(
    of key: any DependencyKey.Type, in scope: ScopeNode?,
    didFind: (Unowned<Override>) -> Void = { _ in }
  ) -> UInt {
    var found: UInt?
    let root = find(key, in: scope) {
      didFind($0)
      found = $0.address
    } global: {
      found = InputSource.identity(ofGlobal: $0)
    }
    return found ?? InputSource.identity(ofDefault: ObjectIdentifier(root!))
  }
}
