import ComposableReducers

class Row {
  var text = ""
}

enum RowAction {
  case inserted(Row)
}

// error: let 'rows' is not concurrency-safe because non-'Sendable' type 'Reducer<[String],
//   RowAction, Void>' may have shared mutable state [#MutableGlobalVariable]
// error: type 'RowAction' does not conform to the 'Sendable' protocol
let rows = Reducer<[String], RowAction, Void> { _, _, _ in .none }
