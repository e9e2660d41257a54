// A module that uses some of this library's names, with other meanings.

package protocol DependencyKey<Value> {
  associatedtype Value
  static var liveValue: Value { get }
}

package struct UUIDGenerator: Sendable {
  package static var incrementing: Self { Self() }
}

package struct DependencyValues: Sendable {
  private var overriddenName: String?

  package var name: String {
    get { overriddenName ?? "theirs" }
    set { overriddenName = newValue }
  }

  /// `StandardDependencies` has a property of this name, with a value that is set in the same way.
  package var uuid: UUIDGenerator {
    get { UUIDGenerator() }
    set {}
  }

  package subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value { Key.liveValue }
}

@propertyWrapper
package struct Dependency<Value>: Sendable {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  package init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  package var wrappedValue: Value { DependencyValues()[keyPath: keyPath] }
}

@discardableResult
package func withDependencies<R>(
  _ update: (inout DependencyValues) throws -> Void, operation: () throws -> R
) rethrows -> R {
  var values = DependencyValues()
  try update(&values)
  return try operation()
}

@discardableResult
package func withDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R
) async rethrows -> R {
  var values = DependencyValues()
  try await update(&values)
  return try await operation()
}
