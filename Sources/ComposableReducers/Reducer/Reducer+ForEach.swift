extension Reducer {
  /// Embeds this element's reducer in a parent with any number of elements.
  ///
  /// An action for a missing element changes nothing and reports an issue. If `state` is a stored
  /// property, the cost of an action doesn't depend on the number of elements.
  ///
  /// - Parameters:
  ///   - state: The elements in the parent's state.
  ///   - action: The case of the parent's action that holds an element's id and action.
  ///   - environment: The elements' environment in the parent's, for example `\.element`.
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
    } find: {
      let elements = $0[keyPath: state]
      return { elements[id: $0] }
    } ids: {
      $0[keyPath: state].ids
    }
  }

  /// Embeds this element's reducer in a parent with any number of elements.
  ///
  /// The elements' environment is created in the parent's scope, once per store. To use the
  /// parent's own derived environment instead, pass it as `environment:`.
  ///
  /// An action for a missing element changes nothing and reports an issue.
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
    } find: {
      let elements = $0[keyPath: state]
      return { elements[id: $0] }
    } ids: {
      $0[keyPath: state].ids
    }
  }

  /// Embeds this value's reducer in a parent with a dictionary of values.
  ///
  /// An action for a missing key changes nothing and reports an issue. If `state` is a stored
  /// property, the cost of an action doesn't depend on the number of values.
  ///
  /// - Parameters:
  ///   - state: The dictionary in the parent's state.
  ///   - action: The case of the parent's action that holds a key and the action of its value.
  ///   - environment: The values' environment in the parent's, for example `\.element`.
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
    } find: {
      let values = $0[keyPath: state]
      return { values[$0] }
    }
  }

  /// Embeds this value's reducer in a parent with a dictionary of values.
  ///
  /// The values' environment is created in the parent's scope, once per store. To use the parent's
  /// own derived environment instead, pass it as `environment:`.
  ///
  /// An action for a missing key changes nothing and reports an issue.
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
    } find: {
      let values = $0[keyPath: state]
      return { values[$0] }
    }
  }

  /// Runs an element's reducer on it, in place, if the element exists.
  @usableFromInline
  typealias ReduceElement<ParentState, ID> =
    @Sendable (inout ParentState, ID, (inout State) -> Effect<Action>) -> Effect<Action>?

  @inlinable
  func forEach<ParentState, ParentAction, ParentEnvironment, ID: Hashable & Sendable>(
    action: CasePath<ParentAction, (ID, Action)>,
    _ environment: ChildEnvironment<ParentEnvironment, Environment>,
    _ fileID: StaticString,
    _ line: UInt,
    reduceElement: @escaping ReduceElement<ParentState, ID>,
    find: @escaping @Sendable (ParentState) -> (ID) -> State?,
    ids: (@Sendable (ParentState) -> [ID])? = nil
  ) -> Reducer<ParentState, ParentAction, ParentEnvironment> {
    let place = StatePullback<ParentState>(elements: find, ids: ids)
    return Reducer<ParentState, ParentAction, ParentEnvironment>(
      reduce: { parentState, parentAction, parent, context in
        guard let (id, childAction) = action.extract(from: parentAction) else { return .none }
        let place = context.child(of: place)
        return environment.run(parent, place) { environment, context in
          let effect = reduceElement(&parentState, id) {
            reduce(&$0, childAction, environment, context)
          }
          if let effect { return effect }
          reportMissingChild("there's no element \(id)", parentAction, fileID, line)
          return .none
        }
        .owned(by: id, in: place)
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
