import ComposableReducers

extension World {
  /// The reducer of a feature and everything below it.
  func reducer<Environment: TreeEnvironment>(
    _ feature: Feature, isRoot: Bool = false, store: Int
  ) -> Reducer<Node, Act, Environment> {
    let children =
      feature.children.indices.map { pulledBack(feature.children[$0], $0, store) }
      as [Reducer<Node, Act, Environment>]
    let life = Life()
    let own = Reducer<Node, Act, Environment> { node, act, _ in
      _ = life
      let (action, tags) = act.leaf
      if case .own = act {
        self.record(action, tags, isEcho: false, store)
        if action.isRacing { node.racing.insert(action.id) } else { node.log.append(action.id) }
        if let child = action.toggledChild { node.toggle(child, of: feature) }
        return self.effect(action.effect)
      }
      guard isRoot else { return .none }
      self.journal.record(.passed(store: store, action: action.id))
      guard action.echo.isSomething else { return .none }
      self.record(action, tags, isEcho: true, store)
      return self.effect(action.echo)
    }
    return .combine(children + [own])
  }

  private func record(_ action: ActionSpec, _ tags: Int, isEcho: Bool, _ store: Int) {
    journal.record(
      .reduced(
        store: store, action: action.id, isEcho: isEcho, tags: tags, .current,
        isRacing: action.isRacing && !isEcho))
  }

  private func pulledBack<Environment: TreeEnvironment>(
    _ feature: Feature, _ number: Int, _ store: Int
  ) -> Reducer<Node, Act, Environment> {
    switch (feature.kind, feature.source) {
    case (.composable, .made):
      made(reducer(feature, store: store) as Reducer<Node, Act, ComposableFeature>, feature, number)
    case (.composable, .named(let overrides)):
      named(reducer(feature, store: store), feature, number) { $0.composable(overrides) }
    case (.global, .made):
      made(reducer(feature, store: store) as Reducer<Node, Act, GlobalFeature>, feature, number)
    case (.global, .named):
      named(reducer(feature, store: store), feature, number) { $0.global() }
    case (.plain, _):
      named(reducer(feature, store: store), feature, number) { _ in PlainFeature() }
    }
  }

  private func made<Child: DependencyEnvironment, Environment: TreeEnvironment>(
    _ child: Reducer<Node, Act, Child>, _ feature: Feature, _ number: Int
  ) -> Reducer<Node, Act, Environment> {
    let path = Act.path(to: number)
    let elements = Act.path(toElementsOf: number)
    switch feature.link {
    case .property:
      return child.pullback(state: \.children[number].property, action: path)
    case .optional:
      return child.optional().pullback(state: \.children[number].optional, action: path)
    case .enumCase:
      let variant: Reducer<Variant, Act, Environment> = child.pullback(
        state: Variant.node, action: path)
      return variant.pullback(
        state: \.children[number].enumCase, action: .identity, environment: { $0 })
    case .identifiedArray:
      return child.forEach(state: \.children[number].identifiedArray, action: elements)
    case .dictionary:
      return child.forEach(state: \.children[number].dictionary, action: elements)
    }
  }

  private func named<Child: TreeEnvironment, Environment: TreeEnvironment>(
    _ child: Reducer<Node, Act, Child>, _ feature: Feature, _ number: Int,
    _ environment: @escaping @Sendable (Environment) -> Child
  ) -> Reducer<Node, Act, Environment> {
    let path = Act.path(to: number)
    let elements = Act.path(toElementsOf: number)
    switch feature.link {
    case .property:
      return child.pullback(
        state: \.children[number].property, action: path, environment: environment)
    case .optional:
      return child.optional().pullback(
        state: \.children[number].optional, action: path, environment: environment)
    case .enumCase:
      let variant: Reducer<Variant, Act, Environment> = child.pullback(
        state: Variant.node, action: path, environment: environment)
      return variant.pullback(
        state: \.children[number].enumCase, action: .identity, environment: { $0 })
    case .identifiedArray:
      return child.forEach(
        state: \.children[number].identifiedArray, action: elements, environment: environment)
    case .dictionary:
      return child.forEach(
        state: \.children[number].dictionary, action: elements, environment: environment)
    }
  }
}
