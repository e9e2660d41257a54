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
    /// Whether the lifetime around it doesn't wait for it.
    let outlives: Bool
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
    /// The lifetimes whose operations had returned.
    let closing: Set<Int>
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
    case .began(let number, let outer, let listed, _, let mayBeCancelled, let outlives):
      lifetimes[number] = Lifetime(
        outer: outer, listed: listed, mayBeCancelled: mayBeCancelled, outlives: outlives)
      if let outer, hasOperated(outer) { coverage.count("lifetime in one that has operated") }
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
      if lists(instance.lifetime, instance.key) {
        lifetimes[instance.lifetime]!.failures.append(outcome)
      }
      coverage.count("failed opening")
    case .asked(let number, let asker, let key, let bindings, let isClosing):
      let closing = zip(chain(from: asker), isClosing).filter(\.1).map(\.0)
      asked[number] = Asked(
        asker: asker, key: key, bindings: bindings, place: place, closing: Set(closing),
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
    case .readInside(let instance, let key, let token, let outside, let issues):
      return readInside(instance, key, token, outside, issues)
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

extension Model {
  /// Rule 28: which lifetime a value may come from.
  mutating func answer(_ asked: Asked, _ token: Token) -> String? {
    let chain = chain(from: asked.asker)
    // A resource of the same lifetime has precedence over an outer binding.
    let isListedHere = chain.first.map { lists($0, asked.key) } ?? false
    switch asked.bindings[program.root(asked.key)] {
    case .some(let bound) where !isOpened(bound):
      coverage.count("asked for an override")
      return token == bound ? nil : "expected \(bound)"
    case .some(let bound) where !isListedHere:
      coverage.count("asked for a listed resource")
      if token != bound { return "expected \(bound)" }
    default: break
    }
    guard case .opened(let instance) = token else { return "nothing is bound to the key" }
    guard isSame(instance.key, asked.key), let opened = instances[instance], opened.isOpen else {
      return "it is not open"
    }
    guard let position = chain.firstIndex(of: instance.lifetime) else {
      return "it is of a lifetime that isn't around"
    }
    if asked.closing.contains(instance.lifetime), !mayHave(instance, asked.asker) {
      return "the operation of its lifetime has returned"
    }
    for nearer in chain[..<position] where has(nearer, asked) || lists(nearer, asked.key) {
      return "\(nearer) is nearer"
    }
    if opened.begin > asked.place, !lists(instance.lifetime, asked.key) {
      if position > 0, !asked.opening.contains(where: { $0.lifetime == instance.lifetime }) {
        // Another task may have opened it there meanwhile.
        coverage.count("opened outside meanwhile")
      }
      for farther in chain[(position + 1)...] where has(farther, asked) {
        return "\(farther) has it"
      }
    }
    if case .resource(let dependent) = asked.asker { instances[dependent]!.from.append(instance) }
    if instance.key != asked.key { coverage.count("asked for an aliased resource") }
    coverage.count("asked in \(position == 0 ? "the same" : "an outer") lifetime")
    return nil
  }

  /// Whether a lifetime had what was asked for, from the question to the answer.
  private func has(_ lifetime: Int, _ asked: Asked) -> Bool {
    asked.open.contains {
      $0.lifetime == lifetime && isSame($0.key, asked.key) && !instances[$0]!.isClosed
    }
  }

  /// Rule 27: whether code gets what a closing lifetime has, because it ends before.
  private func mayHave(_ instance: Instance, _ asker: Asker) -> Bool {
    guard case .resource(let asker) = asker else { return false }
    // With aliases, it may have asked for the same before.
    return asker.lifetime == instance.lifetime
      || program.resources[asker.key].needs.count { isSame($0, instance.key) } > 1
  }

  /// Rules 30, 31 and 32: why a value may be refused.
  mutating func refuse(
    _ asked: Asked, _ outcome: Outcome, _ mayBeCancelled: Bool
  ) -> String? {
    switch outcome {
    case .cycle(let path):
      coverage.count("cycle")
      for (key, next) in zip(path, path.dropFirst())
      where !program.resources[key].needs.contains(where: { isSame($0, next) }) {
        return "K\(key) doesn't need K\(next)"
      }
      return path.first == path.last && path.count > 1 ? nil : "it is no cycle"
    case .cancelled:
      let mayBe =
        mayBeCancelled || chain(from: asked.asker).contains(where: self.mayBeCancelled)
        || chain(from: asked.asker).contains {
          !lifetimes[$0]!.runFailures.isEmpty || hasOperated($0)
        }
      return mayBe ? nil : "nothing cancelled it"
    case .failed:
      coverage.count("asked for a failed resource")
      return nil
    case .ended:
      coverage.count("asked after the end")
      if asked.open.contains(where: {
        asked.closing.contains($0.lifetime) && isSame($0.key, asked.key)
      }) {
        coverage.count("asked too late for what is open")
      }
      let hasEnded = chain(from: asked.asker).contains(where: hasOperated)
      return hasEnded ? nil : "the lifetime has not ended"
    case .returned: return "it returned nothing"
    }
  }

  /// Rules 27 and 33: what the code of a resource reads while it runs or closes.
  mutating func readInside(
    _ instance: Instance, _ key: Int, _ token: Token, _ outside: Token, _ issues: Int
  ) -> String? {
    if case .opened(let found) = token, found.lifetime == instance.lifetime, isSame(found.key, key)
    {
      coverage.count("read in the code of a resource")
      guard let opened = instances[found], opened.isOpen, found == instance || !opened.isClosing
      else { return "it is not open" }
      return issues == 0 ? nil : "it is reported"
    }
    // What it was opened from, it also reads.
    if instances[instance]!.from.contains(where: {
      $0.lifetime == instance.lifetime && isSame($0.key, key)
    }) || isSame(instance.key, key) {
      return "it is open"
    }
    return token == outside ? nil : "expected \(outside)"
  }

  private func isSame(_ key: Int, _ other: Int) -> Bool { program.root(key) == program.root(other) }

  /// Whether a lifetime lists a key.
  private func lists(_ lifetime: Int, _ key: Int) -> Bool {
    lifetimes[lifetime]!.listed.contains { isSame($0, key) }
  }

  /// Whether the operation of a lifetime has ended.
  private func hasOperated(_ lifetime: Int) -> Bool {
    lifetimes[lifetime]!.operated != nil || lifetimes[lifetime]!.isReturned
  }

  /// The lifetimes around the code that asks, the nearest first.
  private func chain(from asker: Asker) -> [Int] {
    var next: Int? =
      switch asker {
      case .operation(let lifetime): lifetime
      case .resource(let instance): instance.lifetime
      }
    var chain: [Int] = []
    while let number = next {
      chain.append(number)
      next = lifetimes[number]!.outer
    }
    return chain
  }

  private func isOpened(_ token: Token) -> Bool {
    if case .opened = token { true } else { false }
  }
}

extension Model {
  mutating func beginOperation(_ number: Int) -> String? {
    lifetimes[number]!.isOperating = true
    coverage.count("operation")
    for key in lifetimes[number]!.listed {
      let isOpen = instances.contains {
        $0.key.lifetime == number && $0.key.key == key && $0.value.isOpen
      }
      if !isOpen { return "K\(key) is not open" }
    }
    return nil
  }

  /// Rules 30 and 31: what `withResources` returns or throws, and that nothing stays open.
  mutating func end(_ number: Int, _ outcome: Outcome) -> String? {
    lifetimes[number]!.isReturned = true
    let lifetime = lifetimes[number]!
    for (instance, opened) in instances where instance.lifetime == number {
      if opened.isOpen && !opened.isClosed { return "\(instance) is not closed" }
      if !opened.isOpen && !opened.hasFailed { return "\(instance) is still opening" }
      if opened.isRunning { return "\(instance) is still running" }
    }
    let mayBeCancelled = self.mayBeCancelled(number)
    if lifetime.isOperating {
      switch lifetime.operated {
      case nil: return "the operation has not ended"
      case .returned:
        coverage.count("returned")
        let isRight = outcome == .returned || lifetime.runFailures.contains(outcome)
        return isRight ? nil : "the operation has returned"
      case .cancelled:
        coverage.count("cancelled operation")
        if lifetime.runFailures.contains(outcome) { return nil }
        let isRight = outcome == .cancelled && mayBeCancelled
        return isRight ? nil : "the operation was cancelled"
      case .some(let own):
        coverage.count("failed operation")
        return outcome == own ? nil : "it masks \(own)"
      }
    }
    coverage.count("no operation")
    let failures = (lifetime.failures + lifetime.runFailures).filter(\.isFailure)
    if outcome == .cancelled {
      if !mayBeCancelled { return "nothing cancelled it" }
      return nil
    }
    return failures.contains(outcome) ? nil : "it is none of \(failures)"
  }

  /// Whether a lifetime, or one around it, is in a task that may be cancelled.
  func mayBeCancelled(_ number: Int?) -> Bool {
    guard let number, let lifetime = lifetimes[number] else { return false }
    if lifetime.mayBeCancelled { return true }
    // A failing `run` cancels an operation, and so the lifetimes inside it.
    if let outer = lifetime.outer, !lifetimes[outer]!.runFailures.isEmpty || hasOperated(outer) {
      return true
    }
    return mayBeCancelled(lifetime.outer)
  }

  /// Rules 26 and 29: what may be opened.
  mutating func begin(_ instance: Instance, at place: Int) -> String? {
    let others = instances.filter {
      $0.key.lifetime == instance.lifetime && isSame($0.key.key, instance.key)
        && !$0.value.hasFailed
    }
    if !others.isEmpty { return "the lifetime has it already" }
    if program.global.contains(where: { isSame($0, instance.key) }) { return "it is set globally" }
    if lifetimes[instance.lifetime]!.isReturned { return "the lifetime has ended" }
    instances[instance] = Opened(begin: place)
    return nil
  }

  /// Rules 27 and 31: what may be closed.
  mutating func beginClosing(_ instance: Instance, _ isCancelled: Bool) -> String? {
    let opened = instances[instance]!
    if opened.isClosing { return "it was closed before" }
    if isCancelled { return "closing is cancelled" }
    if opened.isRunning { return "it still runs" }
    for (other, dependent) in instances
    where dependent.from.contains(instance) && dependent.isOpen && !dependent.isClosed {
      return "\(other) was opened from it, and is open"
    }
    if instances.contains(where: { other, dependent in
      dependent.isClosed && other.lifetime != instance.lifetime && dependent.from.contains(instance)
        && hasOperated(instance.lifetime)
    }) {
      coverage.count("closed after what another lifetime opened from it")
    }
    for (number, lifetime) in lifetimes
    where lifetime.outer == instance.lifetime && !lifetime.outlives && !lifetime.isReturned {
      return "the inner lifetime \(number) continues"
    }
    if lifetimes[instance.lifetime]!.isOperating, lifetimes[instance.lifetime]!.operated == nil {
      return "the operation continues"
    }
    instances[instance]!.isClosing = true
    coverage.count("closed")
    return nil
  }
}
