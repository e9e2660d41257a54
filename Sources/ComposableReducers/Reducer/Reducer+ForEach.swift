extension Reducer {
  /// Makes this element's reducer one of a parent that has any number of such elements.
  ///
  /// An action for an element that is not there changes nothing and reports an issue. An action to
  /// one element costs the same however many there are, if `state` is a stored property.
  ///
  /// - Parameters:
  ///   - state: The elements in the parent's state.
  ///   - action: The case of the parent's action that holds an element's id and action.
  ///   - environment: The elements' environment in the parent's, `\.element` say.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, ID>(
    state: any WritableKeyPath<ParentState, IdentifiedArray<ID, State>> & Sendable,
    action: CasePath<ParentAction, (ID, Action)>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    forEach(action: action, ChildEnvironment(environment), fileID, line) {
      $0[keyPath: state].reduceElement(id: $1, $2)
    }
  }

  /// Makes this element's reducer one of a parent that has any number of such elements.
  ///
  /// The elements' environment is made in the parent's scope, once for a store. A value that the
  /// parent gives its own derived environment is not used: for that, name it with `environment:`.
  ///
  /// An action for an element that is not there changes nothing and reports an issue.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, ID>(
    state: any WritableKeyPath<ParentState, IdentifiedArray<ID, State>> & Sendable,
    action: CasePath<ParentAction, (ID, Action)>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment {
    forEach(action: action, ChildEnvironment(), fileID, line) {
      $0[keyPath: state].reduceElement(id: $1, $2)
    }
  }

  /// Makes this value's reducer one of a parent that has such values in a dictionary.
  ///
  /// An action for a key that is not there changes nothing and reports an issue. An action to one
  /// value costs the same however many there are, if `state` is a stored property.
  ///
  /// - Parameters:
  ///   - state: The dictionary in the parent's state.
  ///   - action: The case of the parent's action that holds a key and the action of its value.
  ///   - environment: The values' environment in the parent's, `\.element` say.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, Key: Hashable & Sendable>(
    state: any WritableKeyPath<ParentState, [Key: State]> & Sendable,
    action: CasePath<ParentAction, (Key, Action)>,
    environment: @escaping @Sendable (ParentEnvironment) -> Environment,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    forEach(action: action, ChildEnvironment(environment), fileID, line) {
      $0[keyPath: state].reduceElement(id: $1, $2)
    }
  }

  /// Makes this value's reducer one of a parent that has such values in a dictionary.
  ///
  /// The values' environment is made in the parent's scope, once for a store. A value that the parent
  /// gives its own derived environment is not used: for that, name it with `environment:`.
  ///
  /// An action for a key that is not there changes nothing and reports an issue.
  @inlinable
  public func forEach<ParentState, ParentAction, ParentEnvironment, Key: Hashable & Sendable>(
    state: any WritableKeyPath<ParentState, [Key: State]> & Sendable,
    action: CasePath<ParentAction, (Key, Action)>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment>
  where Environment: DependencyEnvironment {
    forEach(action: action, ChildEnvironment(), fileID, line) {
      $0[keyPath: state].reduceElement(id: $1, $2)
    }
  }

  /// Runs an element's reducer on it, in place, where there is such an element.
  @usableFromInline
  typealias ReduceElement<ParentState, ID> =
    @Sendable (inout ParentState, ID, (inout State) -> Effect<Action>) -> Effect<Action>?

  @inlinable
  func forEach<ParentState, ParentAction, ParentEnvironment, ID: Hashable & Sendable>(
    action: CasePath<ParentAction, (ID, Action)>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>,
    _ fileID: StaticString,
    _ line: UInt,
    reduceElement: @escaping ReduceElement<ParentState, ID>
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let (id, childAction) = action.extract(from: parentAction) else { return .none }
        return environment.run(parent, context) { environment, context in
          let effect = reduceElement(&parentState, id) {
            reduce(&$0, childAction, environment, context)
          }
          if let effect { return effect }
          reportMissingChild("there is no element \(id)", parentAction, fileID, line)
          return .none
        }
        .map { action.embed((id, $0)) }
      })
  }
}

extension IdentifiedArray {
  @inlinable
  mutating func reduceElement<Result>(
    id: ID, _ body: (inout Element) -> Result
  ) -> Result? {
    contains(id: id) ? body(&self[id: id]!) : nil
  }
}

extension Dictionary {
  @inlinable
  mutating func reduceElement<Result>(
    id: Key, _ body: (inout Value) -> Result
  ) -> Result? {
    guard let index = index(forKey: id) else { return nil }
    return body(&values[index])
  }
}
