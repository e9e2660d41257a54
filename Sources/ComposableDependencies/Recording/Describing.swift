// What print, dump and a debugger show, in every scope. None of it reads a dependency.

extension DependencyScope: CustomStringConvertible, CustomReflectable {
  /// The overrides and the global values, on one line; ``explain()`` says more.
  public var description: String {
    let limit = 10
    let values = Explainer(node: node).values
    let list = values.prefix(limit).map { "\($0.name): \(ValueText.of($0.value))" }
    let rest = values.count > limit ? ["… \(values.count - limit) more"] : []
    return "DependencyScope(\((list + rest).joined(separator: ", ")))"
  }

  /// The overrides and the global values, by name.
  public var customMirror: Mirror {
    let children = Explainer(node: node).values.map { (label: $0.name as String?, value: $0.value) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension Dependency: CustomReflectable {
  /// Nothing but the type, because reading the value may compute a default.
  public var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .struct)
  }
}

extension DerivedEnvironment: CustomReflectable {
  /// The child if it exists already; this doesn't create it.
  public var customMirror: Mirror {
    let children = existing.map { [(label: "wrappedValue" as String?, value: $0 as Any)] } ?? []
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
