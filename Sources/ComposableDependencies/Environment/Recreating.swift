extension ScopeCapturing {
  /// Recreates this environment in its own scope, with more overrides.
  package func recreated(
    fileID: StaticString, line: UInt, overriding update: (inout Dependencies) -> Void
  ) -> Self {
    let place = SourceLocation(fileID: fileID, line: line)
    var dependencies = Dependencies(node: scope.node)
    let recorded = dependencies.isRecorded ? RecordedUpdate(at: place, in: scope.node) : nil
    dependencies.update = DependencyUpdate(recorded: recorded)
    update(&dependencies)
    recorded?.end(over: dependencies.node.store)
    // Of the update that the closure ended with, which may be another one's.
    let overrides = dependencies.update?.overrides ?? []
    let own = overrides.reduce(scope.overrides(setOn: Self.self)) { $0.replacing($1) }
    return recreated(in: dependencies.node, own, at: place)
  }

  /// Recreates this environment below a parent, with the overrides set on itself.
  ///
  /// Returns `self` if that is the scope it already captured.
  func recreated(below parent: ScopeNode?, at location: SourceLocation) -> Self {
    let own = scope.overrides(setOn: Self.self)
    if own.isEmpty, scope.node === parent { return self }
    // Set again, in the order in which they were set, for the keys that are aliased by now.
    var dependencies = Dependencies(node: parent)
    for override in own { dependencies.override(with: override) }
    return recreated(in: dependencies.node, own, at: location)
  }

  private func recreated(
    in node: ScopeNode?, _ own: [Override], at location: SourceLocation
  ) -> Self {
    var copy = Self.made(in: node, own, at: location)
    carryDerivedEnvironments(from: self, to: copy)
    CurrentScope.enter(node) { copy.adopt(from: self) }
    #if DEBUG
      Self.reportLostProperties(from: self, to: copy, at: location)
    #endif
    return copy
  }

  /// Creates an environment in a scope, with the overrides that belong to it.
  static func made(
    in node: ScopeNode?, _ own: [Override] = [], at location: SourceLocation
  ) -> Self {
    let environment: Self
    let hasCaptured: Bool
    if own.isEmpty {
      environment = CurrentScope.enter(node) { Self() }
      hasCaptured = environment.scope.node === node
    } else {
      let creation = OwnOverrides(of: Self.self, own)
      environment = CurrentScope.create(in: node, creation) { Self() }
      hasCaptured = creation.end(creating: environment.scope)
    }
    #if DEBUG
      if !hasCaptured { Self.reportScopeNotCaptured(at: location) }
    #endif
    return environment
  }
}
