extension ScopeCapturing {
  /// This environment made again, in its own scope with more overrides.
  package func remade(
    fileID: StaticString, line: UInt, overriding update: (inout Dependencies) -> Void
  ) -> Self {
    var dependencies = Dependencies(
      node: scope.node.marked(owner: Self.self, own: scope.node.own(of: Self.self)))
    update(&dependencies)
    return remade(in: dependencies.node, at: SourceLocation(fileID: fileID, line: line))
  }

  /// This environment made again below a parent, with the overrides set on itself.
  ///
  /// `self`, where that is the scope it captured already.
  func remade(below parent: OverrideNode?, at location: SourceLocation) -> Self {
    let own = scope.node.own(of: Self.self)
    if own.isEmpty {
      let isThere = scope.node.unmarked === parent.unmarked
      return isThere ? self : remade(in: parent.unmarked, at: location)
    }
    return remade(in: parent.marked(owner: Self.self, own: own), at: location)
  }

  private func remade(in node: OverrideNode?, at location: SourceLocation) -> Self {
    var copy = Self.made(in: node, at: location)
    carryDerivedEnvironments(from: self, to: copy, at: location)
    CurrentScope.enter(node.unmarked) { copy.adopt(from: self) }
    #if DEBUG
      Self.reportLostProperties(from: self, to: copy, at: location)
    #endif
    return copy
  }

  static func made(in node: OverrideNode?, at location: SourceLocation) -> Self {
    let environment = CurrentScope.enter(node) { Self() }
    #if DEBUG
      if environment.scope.node !== node { Self.reportScopeNotCaptured(at: location) }
    #endif
    return environment
  }
}
