internal import ComposableReducers

/// Describes an action in a path's case, for a message.
func describe<Root, Value>(_ path: CasePath<Root, Value>) -> String {
  if let nothing = () as? Value { return short(path.embed(nothing)) }
  return "an action with \(Value.self)"
}
