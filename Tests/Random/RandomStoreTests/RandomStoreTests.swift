import TestSupport
import Testing

/// `SEED=… swift test --filter RandomStore` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of operation was performed.
@Suite("Random stores", .tooLongUnderSanitizers, .serialized)
struct RandomStoreTests {
  @Test("every store agrees with a plain interpreter: order, scopes, cancellation, ends")
  func programs() async {
    await checkRandomPrograms(
      Program.self,
      covering: [
        "send", "open", "cancel task", "finish", "cancel finish", "advance", "read state", "drop",
        "end", "second end", "refused action", "end that waits", "finish that waits for others",
        "store", "observable store", "two stores", "overrides of a child",
        "effect send", "effect run", "effect merge", "effect concatenate", "effect map",
        "effect cancellable", "effect cancelInFlight", "effect cancel", "effect debounce",
        "effect throttle first", "effect throttle latest",
        "cancelled before it starts", "cancelled run", "cancelled stubborn run",
        "cancelled sleep", "ignored action", "action that waits", "action ignored while it waits",
        "ended with its child", "overtaken action", "missing child", "handled error",
        "throttle runs", "throttle waits", "throttle drops", "throttle replaces", "racing action",
        "part", "part that cancels others", "cancelled part",
        "other child's", "child's below", "recursion", "many throttles",
      ]
        + Feature.Link.allCases.flatMap {
          ["\($0), environment made", "\($0), environment named"]
        }
        + Feature.Kind.allCases.map { "\($0) environment" })
  }
}

extension Program: RandomProgram {
  init(_ choices: inout Choices) { self = Generator.program(&choices) }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let (program, prediction) = Interpreter.prediction(of: self)
    coverage.add(prediction.coverage)
    return await Runner.difference(of: program, from: prediction, patience: patience).map {
      RandomDifference(text: "\(program)\nIt fails \($0)")
    }
  }
}

/// An operation, and what it must lead to.
struct PredictedStep: Sendable {
  /// With the numbers of what it chooses: a lane, a task, or the step in which a waiter began.
  var operation: Operation
  var events: [Event] = []

  /// Describes the difference between expected and actual events, if there is one.
  func difference(from found: [Event]) -> String? {
    let expected = Dictionary(grouping: events, by: \.stream)
    let found = Dictionary(grouping: found, by: \.stream)
    for stream in Set(expected.keys).union(found.keys) {
      let (expected, found) = (expected[stream] ?? [], found[stream] ?? [])
      let isSame =
        stream == nil ? expected.counted == found.counted : expected == found
      if !isSame {
        return "found\n  \(found.lines)\nwhere this was to be\n  \(expected.lines)"
      }
    }
    return nil
  }
}

extension [Event] {
  fileprivate var counted: [Event: Int] {
    reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  fileprivate var lines: String {
    isEmpty ? "nothing" : map { "\($0)" }.joined(separator: "\n  ")
  }
}

/// Everything that must be observed when a program runs.
struct Prediction: Sendable {
  var steps: [PredictedStep] = []
  var issues = 0
  var coverage = Coverage()
}
