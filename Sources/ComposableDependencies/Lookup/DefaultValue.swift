extension Dependencies {
  /// Computes the default of a key in this scope.
  ///
  /// It holds no lock: a default may read other dependencies, or call anything.
  @_alwaysEmitIntoClient
  @inline(never)
  func defaultValue<Key: DependencyKey>(of key: Key.Type) -> Key.Value {
    let options = prepareDefault(of: Key.self)
    let node = node.unmarked
    if options.areReadsRecorded {
      return recordedDefault(of: key, in: node, usesTestValues: options.usesTestValues)
    }
    return CurrentScope.enter(node) {
      DefaultCycle.check(Key.self, in: node) {
        options.usesTestValues ? Key.testValue : Key.defaultValue
      }
    }
  }

  @_alwaysEmitIntoClient
  @inline(never)
  func recordedDefault<Key: DependencyKey>(
    of key: Key.Type, in node: OverrideNode?, usesTestValues: Bool
  ) -> Key.Value {
    var value: Key.Value?
    charging(Key.self) {
      value = CurrentScope.enter(node) {
        DefaultCycle.check(Key.self, in: node) { usesTestValues ? Key.testValue : Key.defaultValue }
      }
    }
    return value!
  }

  /// Computes the default of the key that another is aliased to, in this scope.
  @usableFromInline
  func defaultValue<Key: DependencyKey>(
    of key: Key.Type, aliasedTo root: any DependencyKey.Type
  ) -> Key.Value {
    func value<Root: DependencyKey>(of root: Root.Type) -> Key.Value {
      // Sound, because only keys with the same type of value are ever aliased.
      unsafe unsafeBitCast(defaultValue(of: root), to: Key.Value.self)
    }
    return value(of: root)
  }

  /// Reports a default that is read outside any scope, and returns how to compute it.
  @usableFromInline
  func prepareDefault(of key: any DependencyKey.Type) -> DefaultComputing {
    // Unowned, because retaining the store costs more than the rest.
    let (options, isTracked) =
      Unowned.optional(node)?.borrow { node in
        (node.unownedStore.borrow { $0.defaultOptions }, node.unownedTable.borrow { $0.isTracked })
      } ?? (GlobalStore.process.defaultOptions, false)
    if options.contains(.reportingLostReads), node.isLost { LostReads.report(key) }
    if options.contains(.recordingReads) { recordRead(of: key, .defaultValue) }
    // A probe distinguishes what defaults read from what the probed code reads.
    return isTracked && node.tracker!.isProbe
      ? DefaultComputing(options.union(.recordingReads)) : DefaultComputing(options)
  }
}

/// How to compute a default.
@usableFromInline
@frozen
struct DefaultComputing {
  @usableFromInline let options: UInt8

  init(_ options: GlobalStore.DefaultOptions) {
    self.options = options.rawValue
  }

  @_alwaysEmitIntoClient
  var usesTestValues: Bool { options & 1 != 0 }

  @_alwaysEmitIntoClient
  var areReadsRecorded: Bool { options & 8 != 0 }
}
