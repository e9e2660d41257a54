/// A collection of children by id: an `IdentifiedArray` or a dictionary.
///
/// ``Reducer/forEach(state:action:environment:fileID:line:)`` and
/// ``ObservableStore/children(state:action:)`` accept either.
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
  /// The ids of all elements, in order.
  public var childIDs: [ID] { Array(ids) }

  /// Returns an element; `nil` if there is none with this id.
  public func child(id: ID) -> Element? { self[id: id] }

  /// Changes an element in place, and returns the result; `nil` if there is none with this id.
  public mutating func changeChild<Result>(
    id: ID, _ change: (inout Element) -> Result
  ) -> Result? {
    contains(id: id) ? change(&self[id: id]!) : nil
  }
}

extension Dictionary: ChildCollection {
  /// All keys, in the dictionary's order.
  public var childIDs: [Key] { Array(keys) }

  /// Returns the value of a key; `nil` if there is none.
  public func child(id: Key) -> Value? { self[id] }

  /// Changes the value of a key in place, and returns the result; `nil` if there is none.
  public mutating func changeChild<Result>(
    id: Key, _ change: (inout Value) -> Result
  ) -> Result? {
    guard let index = index(forKey: id) else { return nil }
    return change(&values[index])
  }
}
