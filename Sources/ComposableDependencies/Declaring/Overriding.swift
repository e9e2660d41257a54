/// Overrides dependencies while an operation runs.
///
/// **Adds** to the current scope: dependencies that `update` doesn't set read as before.
///
/// ```swift
/// withDependencies {
///   $0.retryLimit = 0
///   $0.apiClient = .offline
/// } operation: {
///   refresh()
/// }
/// ```
///
/// - Parameters:
///   - update: Overrides dependencies for `operation`. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that `explain()` names.
///   - line: The line that `explain()` names.
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: () throws(E) -> R
) throws(E) -> R {
  let (node, isNew) = updatedCurrentScope(fileID: fileID, line: line, update)
  guard isNew else { return try operation() }
  return try CurrentScope.enter(consume node, operation)
}

/// Overrides dependencies while an asynchronous operation runs.
///
/// **Adds** to the current scope: dependencies that `update` doesn't set read as before.
///
/// A closure that you write in an actor's code stays on that actor, and the values that it captures
/// needn't be sendable. In a `nonisolated` method, the closure runs off its caller's actor, as one
/// passed to `TaskLocal.withValue` does: see
/// <doc:TasksQueuesAndCallbacks#Operations-in-nonisolated-methods>.
///
/// - Parameters:
///   - isolation: The caller's actor. Leave it out.
///   - update: Overrides dependencies for `operation`. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that `explain()` names.
///   - line: The line that `explain()` names.
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout Dependencies) -> Void,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: @concurrent () async throws(E) -> R
) async throws(E) -> R {
  let (node, isNew) = updatedCurrentScope(fileID: fileID, line: line, update)
  guard isNew else { return try await operation() }
  return try await CurrentScope.enter(consume node, operation: operation)
}

/// The current scope with more overrides, and whether that is a different scope.
@_alwaysEmitIntoClient
func updatedCurrentScope(
  fileID: StaticString, line: UInt, _ update: (inout Dependencies) -> Void
) -> (node: ScopeNode?, isNew: Bool) {
  let node = CurrentScope.node
  let address = Unretained.address(of: node)
  let updated = node.updated(fileID: fileID, line: line, update)
  return (updated, isNew: Unretained.address(of: updated) != address)
}

// MARK: - Updating a scope

extension DependencyScope {
  /// Returns a scope with one more override.
  ///
  /// This scope stays unchanged.
  ///
  /// The last override of a dependency wins. The cost doesn't depend on the number of overrides.
  ///
  /// - Note: Swift reads a property before it sets it through a key path. That read doesn't compute a
  ///   default: it finds `value`. A longer path, such as `\.apiClient.timeout`, reads what it changes.
  ///
  /// - Parameters:
  ///   - keyPath: The dependency.
  ///   - value: Its value in the new scope.
  ///   - fileID: The file that `explain()` names.
  ///   - line: The line that `explain()` names.
  @_alwaysEmitIntoClient
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> DependencyScope {
    with({ $0.set(keyPath, to: value) }, fileID: fileID, line: line)
  }

  /// Returns a scope with more overrides.
  ///
  /// This scope stays unchanged.
  ///
  /// ```swift
  /// let scope = DependencyScope.current.with {
  ///   $0.retryLimit = 0
  ///   $0.apiClient.timeout *= 2
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - update: Overrides dependencies. Reads inside this closure see the overrides made so far.
  ///   - fileID: The file that `explain()` names.
  ///   - line: The line that `explain()` names.
  @_alwaysEmitIntoClient
  public func with(
    _ update: (inout Dependencies) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DependencyScope {
    DependencyScope(node: node.updated(fileID: fileID, line: line, update))
  }
}

extension ScopeNode? {
  /// Returns a scope with more overrides.
  @_alwaysEmitIntoClient
  @inline(__always)
  consuming func updated(
    fileID: StaticString, line: UInt, _ update: (inout Dependencies) -> Void
  ) -> ScopeNode? {
    let isWatched = isWatched
    var dependencies = Dependencies(node: self)
    if isWatched {
      dependencies.update(at: SourcePlace(fileID: fileID, line: line), update)
    } else {
      update(&dependencies)
    }
    return dependencies.node
  }
}

extension DependencyScope {
  /// Returns a scope with more overrides, which are set at a place.
  package func with(
    at place: SourcePlace, _ update: (inout Dependencies) -> Void
  ) -> DependencyScope {
    DependencyScope(
      node: node.entered().updated(fileID: place.fileID, line: place.line, update))
  }

  /// Returns a scope in which overrides are set again, in their order, for the keys that are aliased
  /// by now.
  package func with(_ overrides: [Override]) -> DependencyScope {
    var dependencies = Dependencies(node: node)
    for override in overrides { dependencies.override(with: override) }
    return DependencyScope(node: dependencies.node)
  }
}

extension Dependencies {
  /// Sets dependencies, which a watcher may notice.
  @usableFromInline
  mutating func update(at place: SourcePlace, _ update: (inout Dependencies) -> Void) {
    guard let watcher = node.store.watcher else { return update(&self) }
    watcher.update(node, at: place) {
      update(&self)
      return node
    }
  }
}

// MARK: - Setting through a key path

extension Dependencies {
  /// Sets a property, without computing the default that it replaces.
  @_alwaysEmitIntoClient
  @inline(__always)
  package mutating func set<Value>(_ keyPath: WritableKeyPath<Dependencies, Value>, to value: Value)
  {
    // Sound: the assignment ends before the pointers do.
    unsafe withUnsafePointer(to: value) { pointer in
      var assignment = Assignment()
      unsafe withUnsafeMutablePointer(to: &assignment) { assignment in
        unsafe begin(assignment, of: Value.self, at: pointer, by: keyPath)
        unsafe Self.replace(&self[keyPath: keyPath], by: value, ending: assignment)
      }
    }
  }

  /// Replaces a property that has been read, so that an assignment ends before the property is set: what
  /// the setter reads is no longer dropped.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func replace<Value>(
    _ property: inout Value, by value: Value, ending assignment: UnsafeMutablePointer<Assignment>
  ) {
    unsafe Assignment.end(assignment)  // Sound, as above.
    property = value
  }

  // Mutating, because this retains nothing then.
  @usableFromInline
  mutating func begin(
    _ assignment: UnsafeMutablePointer<Assignment>, of valueType: Any.Type,
    at value: UnsafeRawPointer, by keyPath: AnyKeyPath
  ) {
    guard keyPath.hasOneComponent else { return }
    // Sound, as above.
    unsafe Assignment.begin(assignment, of: valueType, at: value, in: node.unretained)
  }
}

// MARK: - Overriding a key

extension Dependencies {
  /// Adds an override of a key that a property sets, and of the keys that are aliased to it.
  @usableFromInline
  mutating func add(_ override: consuming Override, setBy setter: StaticString) {
    let key = override.key
    if ScopeNode.isPlain(key, in: node) { return ScopeNode.add(override, to: &node) }
    let record = node.store.watcher?.record(of: key, setBy: setter, in: node)
    self.override(with: override.copy(for: key, record: record))
  }

  /// Sets an override for its key and for the keys that are aliased to it.
  mutating func override(with override: Override) {
    for key in node.store.aliasedKeys(with: override.key) {
      ScopeNode.add(key == override.key ? override : override.copy(for: key), to: &node)
    }
  }
}
