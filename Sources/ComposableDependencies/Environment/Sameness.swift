#if DEBUG
  /// Checks whether `init()` gave a stored property the value that it had in the original
  /// environment.
  ///
  /// Answers "yes" if it can't know, because a false report would be worse than a missed one.
  enum Sameness {
    /// - Parameter scope: The scope of the original environment.
    static func isSame(_ lhs: Any, _ rhs: Any, in scope: DependencyScope) -> Bool {
      guard type(of: lhs) == type(of: rhs) else { return false }
      if let isSame = isRecreated(lhs, rhs, in: scope) { return isSame }
      if type(of: lhs) is AnyClass { return lhs as AnyObject === rhs as AnyObject }
      if let lhs = lhs as? any Equatable, isEqual(lhs, rhs) { return true }
      if let lhs = lhs as? any Unordered, let rhs = rhs as? any Unordered {
        return isSame(lhs, rhs, in: scope)
      }
      if isFunction(lhs) { return hasSameCode(lhs, rhs) }
      if lhs is any Equatable || Mirror(reflecting: lhs).children.isEmpty {
        return hasSameBytes(lhs, rhs)
      }
      return haveSameChildren(lhs, rhs, in: scope)
    }

    private static func haveSameChildren(
      _ lhs: Any, _ rhs: Any, in scope: DependencyScope
    ) -> Bool {
      let (children, others) = (Mirror(reflecting: lhs).children, Mirror(reflecting: rhs).children)
      return children.count == others.count
        && zip(children, others).allSatisfy {
          $0.label == $1.label && isSame($0.value, $1.value, in: scope)
        }
    }

    /// A value that captures a scope is recreated in the new one, as it should be, unless it had
    /// overrides of its own.
    private static func isRecreated(
      _ lhs: Any, _ rhs: Any, in scope: DependencyScope
    ) -> Bool? {
      switch lhs {
      case let lhs as DependencyScope:
        if lhs.identity == scope.identity { return true }
        guard let rhs = rhs as? DependencyScope else { return false }
        return hasValues(of: lhs.overrides, in: rhs.overrides)
      case let lhs as any ScopeCapturing:
        guard let rhs = rhs as? any ScopeCapturing else { return false }
        let (own, others) = (lhs.ownOverrides, rhs.ownOverrides)
        return own.count == others.count && hasValues(of: own, in: others)
          && haveSameChildren(lhs, rhs, in: lhs.scope)
      case let lhs as any DerivedWrapper:
        return !lhs.isAssigned || (rhs as? any DerivedWrapper)?.isAssigned ?? false
      case is any DependencyWrapper:
        return true
      default:
        return nil
      }
    }

    /// Whether `others` overrides each key of `overrides`, with an equal value where that can be
    /// known.
    private static func hasValues(
      of overrides: [ObjectIdentifier: any Sendable], in others: [ObjectIdentifier: any Sendable]
    ) -> Bool {
      overrides.allSatisfy { key, value in
        guard let other = others[key] else { return false }
        guard !(type(of: value) is AnyClass), let value = value as? any Equatable else {
          return true
        }
        return isEqual(value, other) || hasSameBytes(value, other)
      }
    }

    private static func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool {
      lhs == rhs as? Value
    }

    private static func isSame(
      _ lhs: any Unordered, _ rhs: any Unordered, in scope: DependencyScope
    ) -> Bool {
      let (lhs, rhs) = (lhs.valuesByKey, rhs.valuesByKey)
      return lhs.count == rhs.count
        && lhs.allSatisfy { key, value in
          rhs[key].map { isSame(value, $0, in: scope) } ?? false
        }
    }

    private static func isFunction(_ value: Any) -> Bool {
      Mirror(reflecting: value).displayStyle == nil && "\(type(of: value))".contains("->")
    }

    /// What a closure captures can't be compared: `init()` creates a closure that captures anew.
    private static func hasSameCode<Value>(_ lhs: Value, _ rhs: Any) -> Bool {
      guard let rhs = rhs as? Value else { return false }
      return unsafe withUnsafeBytes(of: lhs) { lhs in
        unsafe withUnsafeBytes(of: rhs) { rhs in
          let size = MemoryLayout<UInt>.size
          return unsafe lhs.prefix(size).elementsEqual(rhs.prefix(size))
        }
      }
    }

    /// For values that nothing else can compare: metatypes, and numbers that don't equal
    /// themselves.
    private static func hasSameBytes<Value>(_ lhs: Value, _ rhs: Any) -> Bool {
      guard let rhs = rhs as? Value else { return false }
      return unsafe withUnsafeBytes(of: lhs) { lhs in
        unsafe withUnsafeBytes(of: rhs) { rhs in unsafe lhs.elementsEqual(rhs) }
      }
    }
  }

  /// A collection without an order, so that two equal ones may list their elements differently.
  private protocol Unordered {
    var valuesByKey: [AnyHashable: Any] { get }
  }

  extension Dictionary: Unordered {
    fileprivate var valuesByKey: [AnyHashable: Any] {
      [AnyHashable: Any](uniqueKeysWithValues: map { ($0.key, $0.value) })
    }
  }

  private protocol DependencyWrapper {}
  extension Dependency: DependencyWrapper {}

  extension ScopeCapturing {
    /// The values that were overridden on this environment itself.
    fileprivate var ownOverrides: [ObjectIdentifier: any Sendable] {
      scope.overrides(setOn: Self.self).values
    }
  }

  extension DependencyScope {
    fileprivate var overrides: [ObjectIdentifier: any Sendable] {
      node.overrides.values
    }
  }

  extension [Override] {
    fileprivate var values: [ObjectIdentifier: any Sendable] {
      reduce(into: [:]) { $0[$1.id] = $1.anyValue }
    }
  }
#endif
