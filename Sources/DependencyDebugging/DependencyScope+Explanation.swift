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
    explanation(title: title)
  }

  /// Explains why a key has its value, even if that is its default.
  ///
  /// A default is computed once, to show its value and the dependencies that it reads.
  public func explain<Key: DependencyKey>(_ key: Key.Type) -> Explanation {
    explanation(of: [key], computingDefaults: true, title: title)
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
    explanation(of: keys { _ = $0[keyPath] }, computingDefaults: true, title: title)
  }

  private var title: String {
    func count(_ overrides: [Override], _ name: String) -> String {
      "\(overrides.count) \(name)\(overrides.count == 1 ? "" : "s")"
    }
    return """
      DependencyScope with \(count(explained(overrides), "override")) and \
      \(count(explained(globalValues), "global value"))
      """
  }

  /// Explains each dependency that is overridden or set globally.
  func explanation(title: String) -> Explanation {
    explanation(of: explained(overrides + globalValues).map(\.key), title: title)
  }

  private func explanation(
    of keys: [any DependencyKey.Type], computingDefaults: Bool = false, title: String
  ) -> Explanation {
    Explanation(
      entries: entries(of: keys, computingDefaults: computingDefaults), children: [],
      isRecorded: recordsPlaces, scopes: recordedScopes.map(Explanation.Place.init), title: title)
  }

  private func explained(_ overrides: [Override]) -> [Override] {
    overrides.filter { !($0.key is any UnrecordedKey.Type) }
  }

  private func entries(
    of keys: [any DependencyKey.Type], computingDefaults: Bool
  ) -> [Explanation.Entry] {
    var seen: Set<ObjectIdentifier> = []
    return keys.compactMap { key in
      let aliased = aliasedKeys(with: key)
      guard seen.insert(ObjectIdentifier(aliased[0])).inserted else { return nil }
      return entry(of: key, aliased: aliased, computingDefault: computingDefaults)
    }.sorted { "\($0.key)" < "\($1.key)" }  // Which names are known changes as the program runs.
  }

  private func entry(
    of key: any DependencyKey.Type, aliased: [any DependencyKey.Type], computingDefault: Bool
  ) -> Explanation.Entry {
    let source = source(of: key)
    let found = source.found
    let computed = found == nil && computingDefault ? computedDefault(of: aliased[0]) : nil
    var shadowed = (found?.origin?.shadowed ?? []).map {
      Explanation.Shadowed(source: source.kind, value: nil, place: .init($0))
    }
    if case .override = source, case .global(let global) = globalSource(of: key) {
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

  private func computedDefault(
    of key: (some DependencyKey).Type
  ) -> (value: String, inputs: [Explanation.Entry]) {
    let (value, keys) = computeDefault(of: key)
    return (ValueText.of(value), entries(of: keys, computingDefaults: false))
  }

  /// What provides the default of a key.
  package func defaultName(of key: any DependencyKey.Type) -> String {
    // Which of the two a key declares isn't known.
    "\(key).\(readsTestValues ? "testValue, or else defaultValue" : "defaultValue")"
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
