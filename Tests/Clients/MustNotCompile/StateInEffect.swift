import ComposableReducers

let counter = Reducer<Int, Int, Void> { state, number, _ in
  .run { _ in
    // error: mutable capture of 'inout' parameter 'state' is not allowed in
    //   concurrently-executing code [#SendableClosureCaptures]
    state += number
  }
}
