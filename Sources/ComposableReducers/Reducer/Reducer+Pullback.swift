extension Reducer {
  /// Embeds this child's reducer in a parent whose state has the child's state as a property.
  ///
  /// - Parameters:
  ///   - state: The child's state in the parent's. A stored property is changed in place.
  ///   - action: The case of the parent's action that holds the child's action.
  ///   - environment: The child's environment in the parent's, for example `\.child`.
  @inlinable
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: any WritableKeyPath<ParentState, State> & Sendable,
    action: CasePath<ParentAction, Action>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    pullback(state: state, action: action, ChildEnvironment(environment))
  }

  /// Embeds this child's reducer in a parent whose state has the child's state as a property.
  ///
  /// The child's environment is created in the parent's scope, once per store. To use the parent's
  /// own derived environment instead, pass it as `environment:`.
  @inlinable
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: any WritableKeyPath<ParentState, State> & Sendable,
    action: CasePath<ParentAction, Action>
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment {
    pullback(state: state, action: action, ChildEnvironment())
  }

  @inlinable
  func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: any WritableKeyPath<ParentState, State> & Sendable,
    action: CasePath<ParentAction, Action>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    // The compiler turns a closure that only applies a literal key path into a direct access to the
    // property.
    let change: @Sendable (inout ParentState, (inout State) -> Effect<Action>) -> Effect<Action> = {
      $1(&$0[keyPath: state])
    }
    let pullback = Pullback(state)
    return Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let childAction = action.extract(from: parentAction) else { return .none }
        return environment.run(parent, context.child(of: pullback)) { environment, context in
          change(&parentState) { reduce(&$0, childAction, environment, context) }
        }
        .wrapped { effect in
          effect.ofChild(of: pullback, context).embedded(action.embed)
        }
      })
  }
}

extension Reducer {
  /// Embeds this child's reducer in a parent whose state is an enum with the child's state in a
  /// case.
  ///
  /// If the state is in another case, the child's actions change nothing and report an issue.
  ///
  /// - Parameters:
  ///   - state: The case of the parent's state that holds the child's state.
  ///   - action: The case of the parent's action that holds the child's action.
  ///   - environment: The child's environment in the parent's, for example `\.child`.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: CasePath<ParentState, State>,
    action: CasePath<ParentAction, Action>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    pullback(
      state: state, action: action, ChildEnvironment(environment), fileID: fileID, line: line)
  }

  /// Embeds this child's reducer in a parent whose state is an enum with the child's state in a
  /// case.
  ///
  /// The child's environment is created in the parent's scope, once per store. To use the parent's
  /// own derived environment instead, pass it as `environment:`.
  ///
  /// If the state is in another case, the child's actions change nothing and report an issue.
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: CasePath<ParentState, State>,
    action: CasePath<ParentAction, Action>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment {
    pullback(state: state, action: action, ChildEnvironment(), fileID: fileID, line: line)
  }

  func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: CasePath<ParentState, State>,
    action: CasePath<ParentAction, Action>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>,
    fileID: StaticString,
    line: UInt
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    let pullback = Pullback(state)
    return Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let childAction = action.extract(from: parentAction) else { return .none }
        guard var childState = state.extract(from: parentState) else {
          reportMissingChild(
            "the state isn't in the case of \(State.self)", parentAction, fileID, line)
          return .none
        }
        defer { parentState = state.embed(childState) }
        return environment.run(parent, context.child(of: pullback)) {
          reduce(&childState, childAction, $0, $1)
        }
        .wrapped { effect in
          effect.endingWithChild(childState, of: pullback, context).embedded(action.embed)
        }
      })
  }
}

extension Reducer {
  /// Turns this reducer into a reducer of optional state.
  ///
  /// While the state is `nil`, actions change nothing and report an issue.
  public func optional(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<State?, Action, Environment> {
    let pullback = Pullback(unwrapping: State.self)
    return Reducer<State?, Action, Environment>(reduce: { state, action, environment, context in
      guard state != nil else {
        reportMissingChild("its \(State.self) is `nil`", action, fileID, line)
        return .none
      }
      let context = context.child(of: pullback)
      return reduce(&state!, action, environment, context).wrapped { effect in
        effect.endingWithChild(state!, of: pullback, context)
      }
    })
  }
}

/// Reports an action for a missing child.
@usableFromInline
func reportMissingChild<Action>(
  _ reason: String, _ action: Action, _ fileID: StaticString, _ line: UInt
) {
  DependencyIssue(
    problem:
      "The action \(action) is ignored, because its child has no state: \(reason).",
    remedy: """
      combine the child's reducer before the parent's reducer that removes the child's state, \
      cancel the child's effects when you remove it, and send child actions only while it exists.
      """,
    fileID: fileID,
    line: line
  ).report()
}

extension Effect {
  /// Returns the same effect of a child whose state always exists.
  @usableFromInline
  func ofChild(of pullback: Pullback, _ context: ReducerContext) -> Effect {
    // An action that such a child sends to itself has no identifier.
    if case .send = node!.kind { return self }
    return ofChild(pullback, context, .only, nil)
  }

  /// Returns the same effect, which ends with the child's state.
  ///
  /// - Parameter child: The child's state, after its reducer ran.
  @usableFromInline
  func endingWithChild<State>(
    _ child: State, of pullback: Pullback, _ context: ReducerContext,
    _ element: (any Hashable & Sendable)? = nil
  ) -> Effect {
    ofChild(pullback, context, element.map { EffectID($0) } ?? .only, ChildIdentity(of: child))
  }

  private func ofChild(
    _ pullback: Pullback, _ context: ReducerContext, _ id: EffectID, _ identity: ChildIdentity?
  ) -> Effect {
    guard context.isOfStore, let key = pullback.key else { return self }
    return Effect(
      .ofChild(node!, ChildLink(pullback: pullback, key: key, id: id, identity: identity)))
  }
}
