extension Reducer {
  /// Embeds this child's reducer in a parent with any number of children.
  ///
  /// An action for a missing child changes nothing and reports an issue. If `state` is a stored
  /// property, the cost of an action doesn't depend on the number of children.
  ///
  /// - Parameters:
  ///   - state: The children in the parent's state: an `IdentifiedArray` or a dictionary.
  ///   - action: The case of the parent's action that holds a child's id and action. It is a path,
  ///     because the reducer extracts the child's action from the parent's.
  ///   - environment: The children's environment in the parent's, for example `\.element`.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, Children: ChildCollection>(
    state: any WritableKeyPath<ParentState, Children> & Sendable,
    action: CasePath<ParentAction, (Children.ChildID, Action)>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Children.ChildID: Sendable, Children.Child == State {
    forEach(state, action, ChildEnvironment(environment), fileID, line)
  }

  /// Embeds this child's reducer in a parent with any number of children.
  ///
  /// The children's environment is created in the parent's scope, once per store. To use the
  /// parent's own derived environment instead, pass it as `environment:`.
  ///
  /// An action for a missing child changes nothing and reports an issue.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, Children: ChildCollection>(
    state: any WritableKeyPath<ParentState, Children> & Sendable,
    action: CasePath<ParentAction, (Children.ChildID, Action)>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment, Children.ChildID: Sendable, Children.Child == State {
    forEach(state, action, ChildEnvironment(), fileID, line)
  }

  @inlinable
  func forEach<ParentState, ParentAction, ParentEnvironment, Children: ChildCollection>(
    _ state: any WritableKeyPath<ParentState, Children> & Sendable,
    _ action: CasePath<ParentAction, (Children.ChildID, Action)>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>,
    _ fileID: StaticString,
    _ line: UInt
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Children.ChildID: Sendable, Children.Child == State {
    let pullback = Pullback(elements: state)
    return Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let (id, childAction) = action.extract(from: parentAction) else { return .none }
        return environment.run(parent, context.child(of: pullback)) { environment, context in
          let effect = parentState[keyPath: state]._changeChild(id: id) { child in
            reduce(&child, childAction, environment, context).wrapped { effect in
              effect.endingWithChild(child, of: pullback, context, id)
            }
          }
          if let effect { return effect }
          reportMissingChild("there's no element \(id)", parentAction, fileID, line)
          return .none
        }
        .wrapped { effect in effect.embedded { action.embed((id, $0)) } }
      })
  }
}
