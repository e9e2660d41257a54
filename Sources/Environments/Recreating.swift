package import ComposableDependencies

extension ScopeCapturing {
  /// Recreates this environment in its own scope, with more overrides.
  package func recreated(
    fileID: StaticString, line: UInt, overriding update: (inout Dependencies) -> Void
  ) -> Self {
    let place = SourceLocation(fileID: fileID, line: line)
    let updated = scope.with(at: place, update)
    let added = updated.overrides(addedTo: scope)
    let kept = scope.overrides(setOn: Self.self)
      .filter { old in !added.contains { $0.id == old.id } }
    return recreated(in: updated, kept.isEmpty ? added : kept + added, at: place)
  }

  /// Recreates this environment below a parent, with the overrides set on itself.
  ///
  /// Returns `self` if that is the scope it already captured.
  func recreated(below parent: DependencyScope, at location: SourceLocation) -> Self {
    let own = scope.overrides(setOn: Self.self)
    if own.isEmpty, scope.identity == parent.identity { return self }
    return recreated(in: parent.with(own), own, at: location)
  }

  private func recreated(
    in scope: DependencyScope, _ own: [Override], at location: SourceLocation
  ) -> Self {
    var copy = Self.made(in: scope, own, at: location)
    carryDerivedEnvironments(from: self, to: copy)
    scope.run { copy.adopt(from: self) }
    #if DEBUG
      Self.reportLostProperties(from: self, to: copy, at: location)
    #endif
    return copy
  }

  /// Creates an environment in a scope, with the overrides that belong to it.
  static func made(
    in scope: DependencyScope, _ own: [Override] = [], at location: SourceLocation
  ) -> Self {
    let (environment, hasCaptured) = scope.create(with: own) {
      Self()
    } scope: {
      $0.scope
    }
    #if DEBUG
      if !hasCaptured { Self.reportScopeNotCaptured(at: location) }
    #endif
    return environment
  }
}
