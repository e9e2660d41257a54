extension Reducer {
  /// Makes this child's reducer one of a parent whose state has the child's as a property.
  ///
  /// - Parameters:
  ///   - state: The child's state in the parent's. A stored property is changed in place.
  ///   - action: The case of the parent's action that holds the child's.
  ///   - environment: The child's environment in the parent's, `\.child` say.
  @inlinable
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: any WritableKeyPath<ParentState, State> & Sendable,
    action: CasePath<ParentAction, Action>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    pullback(state: state, action: action, ChildEnvironment(environment))
  }

  /// Makes this child's reducer one of a parent whose state has the child's as a property.
  ///
  /// The child's environment is made in the parent's scope, once for a store. A value that the parent
  /// gives its own derived environment is not used: for that, name it with `environment:`.
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
    // A closure that only applies a literal key path becomes a plain access to the property.
    let change: @Sendable (inout ParentState, (inout State) -> Effect<Action>) -> Effect<Action> = {
      $1(&$0[keyPath: state])
    }
    return Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let childAction = action.extract(from: parentAction) else { return .none }
        return environment.run(parent, context) { environment, context in
          change(&parentState) { reduce(&$0, childAction, environment, context) }
        }
        .map(action.embed)
      })
  }
}

extension Reducer {
  /// Makes this child's reducer one of a parent whose state is an enum with the child's as a case.
  ///
  /// An action of the child while the state is another case changes nothing and reports an issue.
  ///
  /// - Parameters:
  ///   - state: The case of the parent's state that holds the child's.
  ///   - action: The case of the parent's action that holds the child's.
  ///   - environment: The child's environment in the parent's, `\.child` say.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  @inlinable
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

  /// Makes this child's reducer one of a parent whose state is an enum with the child's as a case.
  ///
  /// The child's environment is made in the parent's scope, once for a store. A value that the parent
  /// gives its own derived environment is not used: for that, name it with `environment:`.
  ///
  /// An action of the child while the state is another case changes nothing and reports an issue.
  @inlinable
  public func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: CasePath<ParentState, State>,
    action: CasePath<ParentAction, Action>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment {
    pullback(state: state, action: action, ChildEnvironment(), fileID: fileID, line: line)
  }

  @inlinable
  func pullback<ParentState, ParentAction, ParentEnvironment>(
    state: CasePath<ParentState, State>,
    action: CasePath<ParentAction, Action>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>,
    fileID: StaticString,
    line: UInt
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let childAction = action.extract(from: parentAction) else { return .none }
        guard var childState = state.extract(from: parentState) else {
          reportMissingChild(
            "the state was not in the case of \(State.self)", parentAction, fileID, line)
          return .none
        }
        defer { parentState = state.embed(childState) }
        return environment.run(parent, context) {
          reduce(&childState, childAction, $0, $1)
        }
        .map(action.embed)
      })
  }
}

extension Reducer {
  /// Makes this reducer one of a state that may be absent.
  ///
  /// An action while the state is absent changes nothing and reports an issue.
  @inlinable
  public func optional(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Reducer<State?, Action, Environment> {
    Reducer<State?, Action, Environment>(reduce: { state, action, environment, context in
      guard state != nil else {
        reportMissingChild("the \(State.self) was absent", action, fileID, line)
        return .none
      }
      return reduce(&state!, action, environment, context)
    })
  }
}

/// Reports an action for a child that is not there.
@usableFromInline
func reportMissingChild<Action>(
  _ reason: String, _ action: Action, _ fileID: StaticString, _ line: UInt
) {
  DependencyIssue(
    problem:
      "The action \(action) was sent to a child that is not there: \(reason). It is ignored.",
    remedy: """
      combine the child's reducer before the parent's that takes the child's state away, cancel the \
      child's effects when it goes, and send its actions only while it is there.
      """,
    fileID: fileID,
    line: line
  ).report()
}
