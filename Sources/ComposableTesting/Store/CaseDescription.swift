internal import ComposableReducers

/// Describes an action in a path's case, for a message.
func describe<Root, Value>(_ path: CasePath<Root, Value>) -> String {
  if let nothing = () as? Value { return short(path.embed(nothing)) }
  let description = path.description(decidingBy: emptyValue(of: Value.self))
  if let name = CaseName(description) { return name.text(payload: Value.self) }
  // Of the closures in a path that goes deeper, nothing is known.
  if description.contains(" .. ") { return "an action with \(Value.self)" }
  let type = withoutLabels(Value.self)
  // A path of closures may go through one of these cases, or deeper, so all of them are possible.
  let names = casesWithPayload(of: Root.self)
    .filter { withoutLabels($0.payload) == type }
    .map { ".\($0.name)(\(Value.self))" }
  return names.isEmpty ? "an action with \(Value.self)" : names.joined(separator: " or ")
}

/// Returns a simple value of a type, if the type has one.
private func emptyValue<Value>(of type: Value.Type) -> Value? {
  let value: Any? =
    switch type {
    case is Bool.Type: false
    case let type as any RangeReplaceableCollection.Type: type.init()
    case let type as any SetAlgebra.Type: type.init()
    case let type as any AdditiveArithmetic.Type: type.zero
    case let type as any ExpressibleByNilLiteral.Type: type.init(nilLiteral: ())
    default: nil
    }
  return value as? Value
}

/// Returns the name of a type, without the labels of tuples.
private func withoutLabels(_ type: Any.Type) -> String {
  var name = ""
  for part in String(reflecting: type).split(separator: " ") {
    name += part.last == ":" ? part.prefix { $0 == "(" } : part
  }
  return name.hasPrefix("(") && !name.contains(",")
    ? String(name.dropFirst().dropLast()) : name
}
