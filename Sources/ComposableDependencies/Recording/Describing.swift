// What print, dump and a debugger show. It works in every scope, recorded or not.

extension DependencyScope: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The overrides and the global values, on one line; ``explain()`` says more.
  public var description: String {
    let limit = 10
    let values = Explainer(node: node).values
    let list = values.prefix(limit).map { "\($0.name): \(ValueText.of($0.value))" }
    let rest = values.count > limit ? ["… \(values.count - limit) more"] : []
    return "DependencyScope(\((list + rest).joined(separator: ", ")))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The overrides and the global values, by name.
  public var customMirror: Mirror {
    let children = Explainer(node: node).values.map { (label: $0.name as String?, value: $0.value) }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension Dependency: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The description of the value, which this reads.
  public var description: String { ValueText.of(wrappedValue as Any) }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The value, which this reads.
  public var customMirror: Mirror {
    Mirror(self, children: ["wrappedValue": wrappedValue], displayStyle: .struct)
  }
}

extension DerivedEnvironment: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The child if it exists already; this doesn't create it.
  public var description: String {
    existing.map { ValueText.of($0) } ?? "\(Environment.self), not read yet"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The child if it exists already; this doesn't create it.
  public var customMirror: Mirror {
    let children = existing.map { [(label: "wrappedValue" as String?, value: $0 as Any)] } ?? []
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension DependencyEnvironment {
  /// The declared dependencies with their values, and the derived environments that exist.
  public var description: String {
    let children = Mirror(reflecting: self).children.filter { !($0.value is DependencyScope) }
    let list = children.map { child in
      let text =
        switch child.value {
        case let declared as any CustomStringConvertible & DeclaredDependency: declared.description
        case let derived as any CustomStringConvertible & DerivedWrapper: derived.description
        default: ValueText.of(child.value)
        }
      return "\(propertyName(child.label)): \(text)"
    }
    return "\(Self.self)(\(list.joined(separator: ", ")))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
}
