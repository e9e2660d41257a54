import TestSupport

/// What the rules say about a trace.
///
/// Concurrent tasks have no single correct order, so the model doesn't predict events. It follows
/// them, and reports those that no lifetime may cause.
struct Model {
  struct Lifetime {
    let outer: Int?
    let listed: [Int]
    let mayBeCancelled: Bool
    var isOperating = false
    var operated: Outcome?
    var isReturned = false
    /// Errors of listed keys that failed to open.
    var failures: [Outcome] = []
    /// Errors of `run`.
    var runFailures: [Outcome] = []
  }

  struct Opened {
    var isOpen = false
    var hasFailed = false
    var isRunning = false
    var isClosing = false
    var isClosed = false
    /// The instances that it was opened from, in any lifetime.
    var from: [Instance] = []
    let begin: Int
  }

  struct Asked {
    let asker: Asker
    let key: Int
    let bindings: [Int: Token]
    let place: Int
    /// The instances that were open, or opening, when it was asked.
    let open: Set<Instance>
    let opening: Set<Instance>
  }

  let program: Program
  var lifetimes: [Int: Lifetime] = [:]
  var instances: [Instance: Opened] = [:]
  var asked: [Int: Asked] = [:]
  var coverage = Coverage()

  /// Returns the first incorrect event.
  static func difference(of events: [Event]?, in program: Program, coverage: inout Coverage)
    -> String?
  {
    guard let events else { return "because it hangs" }
    var model = Model(program: program)
    defer { coverage.add(model.coverage) }
    for (place, event) in events.enumerated() {
      if let problem = model.problem(event, at: place) { return "at \(event): \(problem)" }
    }
    return model.problemAtEnd()
  }

  private mutating func problem(_ event: Event, at place: Int) -> String? {
    switch event {
    case .began(let number, let outer, let listed, _, let mayBeCancelled):
      lifetimes[number] = Lifetime(outer: outer, listed: listed, mayBeCancelled: mayBeCancelled)
      coverage.count("lifetime in \(outer == nil ? "none" : "another")")
    case .operating(let number):
      return beginOperation(number)
    case .operated(let number, let outcome):
      lifetimes[number]!.operated = outcome
    case .returned(let number, let outcome):
      return end(number, outcome)
    case .opening(let instance):
      return begin(instance, at: place)
    case .opened(let instance):
      instances[instance]!.isOpen = true
      coverage.count("opened")
    case .failed(let instance, let outcome):
      instances[instance]!.hasFailed = true
      if lifetimes[instance.lifetime]!.listed.contains(instance.key) {
        lifetimes[instance.lifetime]!.failures.append(outcome)
      }
      coverage.count("failed opening")
    case .asked(let number, let asker, let key, let bindings):
      asked[number] = Asked(
        asker: asker, key: key, bindings: bindings, place: place,
        open: Set(instances.filter { $0.value.isOpen && !$0.value.isClosing }.keys),
        opening: Set(instances.filter { !$0.value.isOpen && !$0.value.hasFailed }.keys))
    case .got(let number, let token):
      return answer(asked[number]!, token)
    case .refused(let number, let outcome, let mayBeCancelled):
      return refuse(asked[number]!, outcome, mayBeCancelled)
    case .running(let instance):
      instances[instance]!.isRunning = true
    case .runFails(let instance):
      lifetimes[instance.lifetime]!.runFailures.append(.failed("run K\(instance.key)"))
      coverage.count("failed run")
    case .ran(let instance):
      instances[instance]!.isRunning = false
    case .closing(let instance, let isCancelled):
      return beginClosing(instance, isCancelled)
    case .closed(let instance):
      instances[instance]!.isClosed = true
    case .read(_, let token, let expected):
      coverage.count("read")
      return token == expected ? nil : "expected \(expected)"
    case .readAfterEnd(_, _, let issues, let expected):
      coverage.count(expected == 1 ? "read after the end" : "other read after the end")
      return issues == expected ? nil : "expected \(expected) issues"
    }
    return nil
  }

  private func problemAtEnd() -> String? {
    for (instance, opened) in instances where opened.isOpen && !opened.isClosed {
      return "because \(instance) is not closed"
    }
    return nil
  }
}
