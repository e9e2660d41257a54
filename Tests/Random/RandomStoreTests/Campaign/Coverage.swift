/// What can happen in a program.
enum Happening {
  static let all =
    [
      "send", "open", "cancel task", "finish", "cancel finish", "advance", "read state", "drop",
      "store", "observable store", "two stores", "overrides of a child",
      "effect send", "effect run", "effect merge", "effect concatenate", "effect map",
      "effect cancellable", "effect cancelInFlight", "effect cancel", "effect debounce",
      "effect throttle first", "effect throttle latest",
      "cancelled before it starts", "cancelled run",
      "cancelled stubborn run", "cancelled sleep", "ignored action",
      "action that waits", "action ignored while it waits",
      "ended with its child", "overtaken action", "missing child", "handled error",
      "throttle runs", "throttle waits", "throttle drops", "throttle replaces", "racing action",
    ]
    + Feature.Link.allCases.flatMap { ["\($0), environment made", "\($0), environment named"] }
    + Feature.Kind.allCases.map { "\($0) environment" }
    + RunSpec.Hop.allCases.map { "hop \($0)" }
}
