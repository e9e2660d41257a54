/// A collection of children by id: an ``IdentifiedArray`` or a dictionary.
///
/// ``Reducer/forEach(state:action:environment:fileID:line:)`` and
/// ``ObservableStore/children(state:action:)`` take any.
public protocol ChildCollection<ChildID, Child>: SendableMetatype {
  /// The type of the ids.
  associatedtype ChildID: Hashable
  /// The type of the children's states.
  associatedtype Child

  /// The ids of all children, in order.
  var childIDs: [ChildID] { get }

  /// Returns a child's state; `nil` if there is no such child.
  func child(id: ChildID) -> Child?

  /// Changes a child's state in place, and returns the result; `nil` if there is no such child.
  mutating func changeChild<Result>(id: ChildID, _ change: (inout Child) -> Result) -> Result?
}

extension IdentifiedArray: ChildCollection {
  public var childIDs: [ID] { Array(ids) }

  public func child(id: ID) -> Element? { self[id: id] }

  public mutating func changeChild<Result>(
    id: ID, _ change: (inout Element) -> Result
  ) -> Result? {
    contains(id: id) ? change(&self[id: id]!) : nil
  }
}

extension Dictionary: ChildCollection {
  public var childIDs: [Key] { Array(keys) }

  public func child(id: Key) -> Value? { self[id] }

  public mutating func changeChild<Result>(
    id: Key, _ change: (inout Value) -> Result
  ) -> Result? {
    guard let index = index(forKey: id) else { return nil }
    return change(&values[index])
  }
}
