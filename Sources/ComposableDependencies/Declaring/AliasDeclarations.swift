extension Dependencies {
  /// Aliases a dependency to another, in the current scope's global store.
  ///
  /// ```swift
  /// Dependencies.alias(\.radioVolume, to: \.volume)
  /// ```
  ///
  /// From then on, both read the same value in every scope over that store; see
  /// ``AliasBuilder/alias(_:to:)``.
  ///
  /// - Parameters:
  ///   - dependency: The dependency to alias.
  ///   - target: The dependency whose default both read.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public static func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    DependencyScope.current.alias(dependency, to: target, fileID: fileID, line: line)
  }
}

/// A builder that aliases dependencies where a derived environment is declared.
///
/// ```swift
/// @DerivedEnvironment<Player>(aliases: { $0.alias(\.playerClock, to: \.clock) }) var player
/// ```
public struct AliasBuilder {
  let scope: DependencyScope
  let place: SourcePlace

  package init(scope: DependencyScope, place: SourcePlace) {
    self.scope = scope
    self.place = place
  }

  /// Aliases a dependency to another in the global store of the parent's scope.
  ///
  /// From then on, both read the same value in every scope over that store, and a value set through
  /// either is visible through both. Their default is the default of `target`. Repeating an alias
  /// has no effect.
  ///
  /// To find a dependency's key, the library sets and reads the property in a temporary scope.
  ///
  /// An alias that would close a cycle changes nothing and reports an issue. So does an alias of a
  /// property that doesn't simply read and set the value of one ``DependencyKey``.
  ///
  /// - Parameters:
  ///   - dependency: The dependency that the child declares.
  ///   - target: The dependency to alias it to.
  @discardableResult
  public func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable
  ) -> AliasBuilder {
    scope.alias(dependency, to: target, fileID: place.fileID, line: place.line)
    return self
  }
}

extension DependencyScope {
  /// Aliases a dependency to another in this scope's global store.
  package func alias<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    fileID: StaticString,
    line: UInt
  ) {
    let (key, targetKey) = PropertyKey.of(dependency, target)
    guard let key, let targetKey else {
      let (name, targetName) = (name(dependency, key), name(target, targetKey))
      DependencyIssue(
        problem: """
          `alias(\(name), to: \(targetName))` is ignored: \(key == nil ? name : targetName) doesn't \
          simply read and set the value of one key.
          """,
        remedy: """
          alias dependencies whose properties read and set `self[SomeKey.self]`, with the same \
          type of value.
          """,
        fileID: fileID, line: line
      ).report()
      return
    }
    if node.store.alias(key, to: targetKey) == .cycle {
      let (name, targetName) = (name(dependency, key), name(target, targetKey))
      DependencyIssue(
        problem: """
          `alias(\(name), to: \(targetName))` is ignored: it would close a cycle, because \
          \(targetName) is already aliased to \(name), directly or through others.
          """,
        remedy: "declare every alias toward the dependency whose default the others should read.",
        fileID: fileID, line: line
      ).report()
    }
  }

  /// The source text of a key path, or its key if Swift doesn't know the name of its property.
  private func name<Value>(
    _ keyPath: KeyPath<Dependencies, Value>, _ key: (any DependencyKey.Type)?
  ) -> String {
    let name = "\(keyPath)"
    guard name.contains("<computed") else { return name }
    return key.map { "\\Dependencies[\($0).self]" } ?? "a property of type \(Value.self)"
  }
}
