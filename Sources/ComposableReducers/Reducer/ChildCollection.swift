/// A collection of children by id: an `IdentifiedArray` or a dictionary.
///
/// ``Reducer/forEach(state:action:environment:fileID:line:)`` and
/// ``ObservableStore/children(state:action:)`` accept either.
public protocol ChildCollection<ChildID, Child>: SendableMetatype {
  /// The type of the ids.
  associatedtype ChildID: Hashable
  /// The type of the children's states.
  associatedtype Child

  // Underscored, because they are members of standard types, too.

  /// The ids of all children, in order.
  var _childIDs: [ChildID] { get }

  /// Returns a child's state; `nil` if there is no such child.
  func _child(id: ChildID) -> Child?

  /// Changes a child's state in place, and returns the result; `nil` if there is no such child.
  mutating func _changeChild<Result>(id: ChildID, _ change: (inout Child) -> Result) -> Result?

  /// Identifies the contents as long as it is retained; `nil` if the collection doesn't know.
  var _version: (any AnyObject & Sendable)? { get }

  /// Returns the ids of the only children that changed since a version; `nil` if there may be more.
  func _childIDs(changedSince version: any AnyObject & Sendable) -> [ChildID]?
}

extension ChildCollection {
  /// `nil`: the collection doesn't know.
  public var _version: (any AnyObject & Sendable)? { nil }

  /// `nil`: the collection doesn't know.
  public func _childIDs(changedSince version: any AnyObject & Sendable) -> [ChildID]? { nil }
}

extension IdentifiedArray: ChildCollection {
  /// The ids of all elements, in order.
  @inlinable
  public var _childIDs: [ID] { ids }

  /// Returns an element; `nil` if there is none with this id.
  @inlinable
  public func _child(id: ID) -> Element? { self[id: id] }

  /// Changes an element in place, and returns the result; `nil` if there is none with this id.
  @inlinable
  public mutating func _changeChild<Result>(
    id: ID, _ change: (inout Element) -> Result
  ) -> Result? {
    index(id: id).map { change(&self[$0]) }
  }

  /// Identifies the elements as long as it is retained.
  public var _version: (any AnyObject & Sendable)? { version }

  /// Returns the ids of the only elements that changed since a version, if the array still knows.
  public func _childIDs(changedSince version: any AnyObject & Sendable) -> [ID]? {
    positions(changedSince: version)?.map { ids[$0] }
  }
}

extension Dictionary: ChildCollection {
  /// All keys, in the dictionary's order.
  @inlinable
  public var _childIDs: [Key] { Array(keys) }

  /// Returns the value of a key; `nil` if there is none.
  @inlinable
  public func _child(id: Key) -> Value? { self[id] }

  /// Changes the value of a key in place, and returns the result; `nil` if there is none.
  @inlinable
  public mutating func _changeChild<Result>(
    id: Key, _ change: (inout Value) -> Result
  ) -> Result? {
    index(forKey: id).map { change(&values[$0]) }
  }
}
