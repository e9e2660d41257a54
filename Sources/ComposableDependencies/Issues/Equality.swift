/// Whether two values are equal.
package func areEqual(_ value: any Equatable, _ other: Any) -> Bool {
  func areEqual<Value: Equatable>(_ value: Value) -> Bool { value == other as? Value }
  return areEqual(value)
}

/// Whether two values are known to be different: of other types than `Equatable` ones, none are.
package func areDifferent(_ value: Any, _ other: Any) -> Bool {
  guard let value = value as? any Equatable else { return false }
  // A value that isn't equal to itself says nothing.
  return areEqual(value, value) && !areEqual(value, other)
}
