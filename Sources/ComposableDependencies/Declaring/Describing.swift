// What print, dump and a debugger show, in every scope. None of it reads a dependency.

extension DependencyScope: CustomStringConvertible, CustomReflectable {
  /// The keys that this scope overrides, at most ten.
  public var description: String {
    let keys = node.overrides.map { "\($0.key)" }.sorted()
    let rest = keys.count > 10 ? ["… \(keys.count - 10) more"] : []
    return "DependencyScope(\((keys.prefix(10) + rest).joined(separator: ", ")))"
  }

  /// The overridden values, by key.
  public var customMirror: Mirror {
    let children = node.overrides.map { (label: "\($0.key)" as String?, value: $0.anyValue as Any) }
    return Mirror(self, children: children.sorted { $0.label! < $1.label! }, displayStyle: .struct)
  }
}

extension Dependency: CustomReflectable {
  /// The type alone, because reading the value may compute a default.
  public var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .struct)
  }
}
