import ComposableReducers

enum ParentAction {
  case child(Int)
  case name(String)
}

struct ParentState {
  var child = 0
  let constant = 0
}

let child = Reducer<Int, Int, Void> { _, _, _ in .none }
let name = CasePath(ParentAction.name) { if case .name(let name) = $0 { name } else { nil } }
let number = CasePath(ParentAction.child) {
  if case .child(let number) = $0 { number } else { nil }
}

let wrongAction: Reducer<ParentState, ParentAction, Void> =
  // error: cannot convert value of type 'CasePath<ParentAction, String>' to expected argument
  //   type 'CasePath<ParentAction, Int>'
  child.pullback(state: \.child, action: name, environment: { $0 })

let constantState: Reducer<ParentState, ParentAction, Void> =
  // error: cannot convert value of type 'any KeyPath<ParentState, Int> & Sendable' to expected
  //   argument type 'WritableKeyPath<ParentState, Int>'
  child.pullback(state: \.constant, action: number, environment: { $0 })
