public import ComposableDependencies

extension DependencyScope {
  /// Explains why each dependency that is overridden or set globally has its value.
  ///
  /// ```swift
  /// print(DependencyScope.current.explain())
  /// ```
  ///
  /// The explanation contains the value, where it was set, what it shadows, where the default comes
  /// from, and aliases. Places are known in a scope that records: in tests, or after
  /// `Dependencies.startRecording()`.
  ///
  /// It reads no default, and holds no lock while it describes a value. Long descriptions are cut.
  public func explain() -> Explanation {
    Explainer(scope: self).explanation(title: title)
  }

  /// Explains why a key has its value, even if that is its default.
  ///
  /// A default is computed once, to show its value and the dependencies that it reads.
  public func explain<Key: DependencyKey>(_ key: Key.Type) -> Explanation {
    Explainer(scope: self).explanation(of: [key], computingDefaults: true, title: title)
  }

  /// Explains why a dependency has its value, even if that is its default.
  ///
  /// ```swift
  /// print(DependencyScope.current.explain(\.timeout))
  /// ```
  ///
  /// It reads the dependency once to find its key, and computes a default once more, to show its
  /// value and the dependencies that it reads. A property that reads several keys has an entry for
  /// each.
  public func explain<Value>(_ keyPath: KeyPath<Dependencies, Value>) -> Explanation {
    let keys = keys { _ = $0[keyPath] }
    return Explainer(scope: self).explanation(of: keys, computingDefaults: true, title: title)
  }

  private var title: String {
    let explainer = Explainer(scope: self)
    return "DependencyScope with \(explainer.summary)"
  }
}

/// Explains the dependencies of one scope.
struct Explainer {
  let scope: DependencyScope

  var summary: String {
    let overrides = overrides.count
    let globals = globals.count
    return """
      \(overrides) \(overrides == 1 ? "override" : "overrides") and \(globals) \
      \(globals == 1 ? "global value" : "global values")
      """
  }

  func explanation(title: String) -> Explanation {
    explanation(of: settings.map(\.key), title: title)
  }

  func explanation(
    of keys: [any DependencyKey.Type], computingDefaults: Bool = false, title: String
  ) -> Explanation {
    Explanation(
      entries: entries(of: keys, computingDefaults: computingDefaults), children: [],
      isRecorded: scope.recordsPlaces,
      scopes: scope.recordedScopes.map(Explanation.Place.init),
      title: title)
  }

  /// The overrides, and then the global values.
  var settings: [Override] { overrides + globals }

  private var overrides: [Override] { scope.overrides.filter(isShown) }

  private var globals: [Override] { scope.globalValues.filter(isShown) }

  private func isShown(_ override: Override) -> Bool {
    !(override.key is any UnrecordedKey.Type)
  }

  private func entries(
    of keys: [any DependencyKey.Type], computingDefaults: Bool
  ) -> [Explanation.Entry] {
    var seen: Set<ObjectIdentifier> = []
    return keys.compactMap { key in
      let aliased = scope.aliasedKeys(with: key)
      guard seen.insert(ObjectIdentifier(aliased[0])).inserted else { return nil }
      return entry(of: key, aliased: aliased, computingDefault: computingDefaults)
    }.sorted { "\($0.key)" < "\($1.key)" }  // Which names are known changes as the program runs.
  }

  private func entry(
    of key: any DependencyKey.Type, aliased: [any DependencyKey.Type], computingDefault: Bool
  ) -> Explanation.Entry {
    let source = scope.source(of: key)
    let found = source.found
    let computed = found == nil && computingDefault ? computedDefault(of: aliased[0]) : nil
    var shadowed = (found?.origin?.shadowed ?? []).map {
      Explanation.Shadowed(source: source.kind, value: nil, place: .init($0))
    }
    if case .override = source, case .global(let global) = scope.globalSource(of: key) {
      shadowed.append(
        .init(
          source: .globalValue, value: ValueText.of(global.anyValue),
          place: global.origin.map { .init($0.place) }))
    }
    return Explanation.Entry(
      key: aliased[0], property: PropertyNames.name(of: aliased[0]),
      value: (found?.anyValue).map { ValueText.of($0) } ?? computed?.value, source: source.kind,
      place: found?.origin.map { .init($0.place) }, shadowed: shadowed,
      omittedCount: found?.origin?.olderCount ?? 0,
      defaultName: defaultName(of: aliased[0]), inputs: computed?.inputs ?? [],
      aliases: aliased.dropFirst().map { PropertyNames.name(of: $0) ?? "\($0)" },
      lifetime: (found?.owner?.place).map { .init($0) })
  }
}

extension Explainer {
  private func computedDefault(
    of key: (some DependencyKey).Type
  ) -> (value: String, inputs: [Explanation.Entry]) {
    let (value, keys) = scope.computeDefault(of: key)
    return (ValueText.of(value), entries(of: keys, computingDefaults: false))
  }
}

extension ValueSource {
  var kind: Explanation.Source {
    switch self {
    case .override: .override
    case .global: .globalValue
    case .defaultValue: .defaultValue
    }
  }

  var found: Override? {
    switch self {
    case .override(let value), .global(let value): value
    case .defaultValue: nil
    }
  }
}

// MARK: - Messages

extension DependencyScope {
  /// Where the value of a key comes from, as the end of a message.
  package func origin(of key: any DependencyKey.Type) -> String {
    Explainer(scope: self).origin(of: key)
  }
}

extension Explainer {
  fileprivate func origin(of key: any DependencyKey.Type) -> String {
    let source = scope.source(of: key)
    let dependency = PropertyNames.text(of: key)
    let place = source.found?.origin.map { " at \($0.place)" } ?? ""
    switch source {
    case .override: return "The value of \(dependency) is an override, set\(place)."
    case .global: return "The value of \(dependency) is a global value, set\(place)."
    case .defaultValue(let root):
      return "The value of \(dependency) is its default, `\(defaultName(of: root))`."
    }
  }

  fileprivate func defaultName(of key: any DependencyKey.Type) -> String {
    "\(key).\(scope.readsTestValues ? "testValue" : "defaultValue")"
  }
}
