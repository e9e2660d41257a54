// What print, dump and a debugger show, in every scope. None of it reads a dependency.

extension DependencyScope: CustomStringConvertible, CustomReflectable {
  /// The keys that this scope overrides, at most ten.
  public var description: String {
    let keys = namedOverrides.map(\.name)
    let rest = keys.count > 10 ? ", … \(keys.count - 10) more" : ""
    return "DependencyScope(\(keys.prefix(10).joined(separator: ", "))\(rest))"
  }

  /// The overridden values, by key.
  public var customMirror: Mirror {
    Mirror(
      self, children: namedOverrides.map { (label: $0.name, value: $0.override.anyValue) },
      displayStyle: .struct)
  }

  private var namedOverrides: [(name: String, override: Override)] {
    overrides.filter { !($0.key is any UnrecordedKey.Type) }
      .map { (name: "\($0.key)", override: $0) }.sorted { $0.name < $1.name }
  }
}

extension Dependency: CustomReflectable {
  /// The type alone, because reading the value may compute a default.
  public var customMirror: Mirror {
    Mirror(self, children: [], displayStyle: .struct)
  }
}
