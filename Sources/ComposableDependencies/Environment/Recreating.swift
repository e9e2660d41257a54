extension ScopeCapturing {
  /// Recreates this environment in its own scope, with more overrides.
  package func recreated(
    fileID: StaticString, line: UInt, overriding update: (inout Dependencies) -> Void
  ) -> Self {
    let place = SourceLocation(fileID: fileID, line: line)
    let base = scope.node.updatable
    let recorded = base.isRecorded ? RecordedUpdate(at: place, in: base) : nil
    var dependencies = Dependencies(
      node: MarkedScope(
        owner: Self.self, own: scope.node.own(of: Self.self), on: base, update: recorded
      ).node)
    update(&dependencies)
    recorded?.end(over: base.store)
    return recreated(in: dependencies.node, at: place)
  }

  /// Recreates this environment below a parent, with the overrides set on itself.
  ///
  /// Returns `self` if that is the scope it already captured.
  func recreated(below parent: OverrideNode?, at location: SourceLocation) -> Self {
    let own = scope.node.own(of: Self.self)
    if own.isEmpty {
      let isThere = scope.node.unmarked === parent.unmarked
      return isThere ? self : recreated(in: parent.unmarked, at: location)
    }
    let marks = MarkedScope(owner: Self.self, own: own, on: parent.unmarked)
    return recreated(in: marks.node, at: location)
  }

  private func recreated(in node: OverrideNode?, at location: SourceLocation) -> Self {
    var copy = Self.made(in: node, at: location)
    carryDerivedEnvironments(from: self, to: copy)
    CurrentScope.enter(node.unmarked) { copy.adopt(from: self) }
    #if DEBUG
      Self.reportLostProperties(from: self, to: copy, at: location)
    #endif
    return copy
  }

  static func made(in node: OverrideNode?, at location: SourceLocation) -> Self {
    let (environment, hasCaptured) = node.marks?.create(in: node) ?? create(in: node)
    #if DEBUG
      if !hasCaptured { Self.reportScopeNotCaptured(at: location) }
    #endif
    return environment
  }

  private static func create(in node: OverrideNode?) -> (Self, hasCaptured: Bool) {
    let environment = CurrentScope.enter(node) { Self() }
    return (environment, environment.scope.node === node)
  }
}
