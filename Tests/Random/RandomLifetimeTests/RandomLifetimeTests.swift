import TestSupport
import Testing

/// `SEED=… swift test --filter RandomLifetime` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of event occurred.
@Suite("Random lifetimes", .tooLongUnderSanitizers, .serialized)
struct RandomLifetimeTests {
  @Test("every lifetime follows the rules: once, order, overrides, failures, cancellation")
  func programs() async {
    await checkRandomPrograms(
      Program.self,
      covering: [
        "lifetime in none", "lifetime in another", "operation", "no operation", "opened", "closed",
        "failed opening", "failed run", "failed operation", "cancelled operation", "returned",
        "read", "read after the end", "other read after the end", "asked for an override",
        "asked for a listed resource", "asked for a failed resource", "asked in the same lifetime",
        "asked in an outer lifetime", "cycle",
      ])
  }
}

extension Program: RandomProgram {
  init(seed: UInt64) { self = Generator.program(seed: seed) }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let events = await Runner.events(of: self, patience: patience)
    return Model.difference(of: events, in: self, coverage: &coverage).map {
      RandomDifference(text: "\(self)\nIt fails \($0)")
    }
  }

  var smaller: [Program] {
    changed(self, \.body, to: body.smaller)
      + resources.indices.flatMap { changed(self, \.resources[$0], to: resources[$0].smaller) }
      + global.flatMap { changed(self, \.global, to: [global.subtracting([$0])]) }
  }
}

extension ResourceSpec {
  fileprivate var smaller: [ResourceSpec] {
    changed(self, \.needs, to: needs.shortened())
      + changed(self, \.opening, to: opening == .fails ? [.succeeds] : [])
      + changed(self, \.running, to: running == .nothing ? [] : [.nothing])
      + changed(self, \.needsSideBySide, to: needsSideBySide ? [false] : [])
      + changed(self, \.yields, to: yields > 0 ? [yields - 1] : [])
  }
}

extension [Step] {
  fileprivate var smaller: [[Step]] { shortened() + replacing(\.smaller) }
}

extension Step {
  /// Steps that can replace this one.
  fileprivate var smaller: [[Step]] {
    switch self {
    case .read, .open, .fail, .untilCancelled: []
    case .yield(let count): count > 0 ? [[.yield(count / 2)]] : []
    case .lifetime(let keys, let steps):
      [steps] + keys.shortened().map { [.lifetime($0, steps)] }
        + steps.smaller.map { [.lifetime(keys, $0)] }
    case .override(let key, let steps):
      [steps] + steps.smaller.map { [.override(key, $0)] }
    case .group(let children):
      children
        + children.indices.flatMap { changed(children, \.[$0], to: children[$0].smaller) }
        .map { [.group($0)] }
    case .attempt(let steps): [steps] + steps.smaller.map { [.attempt($0)] }
    case .cancelled(let count, let steps):
      // Keep the cancellation, which ends steps that never end by themselves.
      steps.smaller.map { [.cancelled(after: count, $0)] }
        + (count > 0 ? [[.cancelled(after: count / 2, steps)]] : [])
    case .rush(let key, let tasks):
      tasks > 2 ? [[.open(key)], [.rush(key, tasks: tasks - 1)]] : [[.open(key)]]
    }
  }
}
