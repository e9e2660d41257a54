import ComposableDependencies
import ComposableResources
import TestSupport

/// Runs a program, and passes its bindings along as a plain dictionary.
struct Runner: Sendable {
  let program: Program
  let trace = Trace()

  /// Returns the events, or `nil` if the program hangs.
  static func events(of program: Program, patience: Duration) async -> [Event]? {
    let runner = Runner(program: program)
    let ended = Signal()
    let run = Task {
      await runner.run()
      ended.raise()
    }
    guard await ended.wait(atMost: patience) else { return nil }
    await run.value
    return runner.trace.events
  }

  private func run() async {
    // Other tests may keep the machine busy.
    let scope = DependencyScope.isolated().with(\.resourceClosingTime, .seconds(3_600))
    for key in program.global { set(allKeys[key], in: scope) }
    let bindings = Dictionary(uniqueKeysWithValues: program.global.map { ($0, Token.global($0)) })
    let here = Place(runner: self, bindings: bindings)
    await scope.run {
      do { try await here.run(program.body) } catch {}
    }
  }

  private func set<Key: RandomKey>(_ key: Key.Type, in scope: DependencyScope) {
    scope.setGlobally { $0[key] = .global(key.number) }
  }
}

/// The place of some steps in a program.
struct Place: Sendable {
  let runner: Runner
  var lifetime: Int?
  /// What each key reads, except for those that read their default.
  var bindings: [Int: Token]
  /// Whether the task may be cancelled.
  var mayBeCancelled = false
  /// Whether a resource of an enclosing lifetime will fail to run.
  var runFails = false

  private var trace: Trace { runner.trace }

  func run(_ steps: [Step]) async throws {
    for step in steps { try await run(step) }
  }

  private func run(_ step: Step) async throws {
    switch step {
    case .read(let key): read(allKeys[key])
    case .open(let key): try await open(allKeys[key])
    case .yield(let count):
      await yield(count)
      try Task.checkCancellation()
    case .fail: throw PlannedError(name: "fail \(trace.nextNumber())")
    case .untilCancelled:
      if runFails { await untilCancelled() }
      try Task.checkCancellation()
    case .lifetime(let keys, let steps): try await runLifetime(keys, steps)
    case .override(let key, let steps): try await override(allKeys[key], steps)
    case .group(let children): try await runGroup(children)
    case .attempt(let steps):
      do { try await run(steps) } catch {}
      try Task.checkCancellation()
    case .cancelled(let count, let steps): await runCancelled(after: count, steps)
    case .rush(let key, let tasks): try await rush(allKeys[key], tasks)
    }
  }

  private func read<Key: RandomKey>(_ key: Key.Type) {
    let expected = bindings[key.number] ?? .default(key.number)
    trace.record(.read(key: key.number, DependencyScope.current[key], expected: expected))
  }

  private func open<Key: RandomKey>(_ key: Key.Type) async throws {
    // Outside all lifetimes, there is nothing to check.
    guard let lifetime else { return }
    let surroundings = Surroundings(
      program: runner.program, trace: trace, lifetime: lifetime, bindings: bindings,
      mayBeCancelled: mayBeCancelled)
    try await surroundings.ask(.operation(lifetime: lifetime), for: key) {
      try await DependencyScope.current.open(key)
    }
  }

  private func rush<Key: RandomKey>(_ key: Key.Type, _ tasks: Int) async throws {
    var first = self
    first.mayBeCancelled = true
    let results = await withTaskGroup(of: Outcome.self) { group in
      for number in 0..<tasks {
        let place = number == 0 ? first : self
        group.addTask {
          let task = Task { try await place.open(key) }
          await yield(number)
          if number == 0 { task.cancel() }
          let result = await withTaskCancellationHandler {
            await task.result
          } onCancel: {
            task.cancel()
          }
          guard number > 0, case .failure(let error) = result else { return .returned }
          return Outcome(error)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try Task.checkCancellation()
    if let failure = results.first(where: { $0 != .returned }) {
      throw PlannedError(name: "rush \(failure)")
    }
  }

  private func override<Key: RandomKey>(_ key: Key.Type, _ steps: [Step]) async throws {
    let token = Token.override(key.number, number: trace.nextNumber())
    var inner = self
    inner.bindings[key.number] = token
    let place = inner
    try await DependencyScope.current.with { $0[key] = token }.run { try await place.run(steps) }
  }

  private func runGroup(_ children: [[Step]]) async throws {
    // Children don't cancel each other; a failure is reported after all have ended.
    let failure = await withTaskGroup(of: (any Error)?.self) { group in
      for child in children {
        group.addTask {
          do {
            try await run(child)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: nil) { $0 = $0 ?? $1 }
    }
    if let failure { throw failure }
  }

  private func runCancelled(after count: Int, _ steps: [Step]) async {
    var inner = self
    inner.mayBeCancelled = true
    let place = inner
    await withTaskGroup { group in
      group.addTask { do { try await place.run(steps) } catch {} }
      await yield(count)
      group.cancelAll()
    }
  }
}

extension Place {
  func runLifetime(_ keys: [Int], _ steps: [Step]) async throws {
    let number = runner.trace.nextNumber()
    let trace = runner.trace
    // Overridden and global values stay; those of outer lifetimes don't.
    let opened = keys.filter { key in
      switch bindings[key] {
      case .override, .global: false
      default: true
      }
    }
    trace.record(
      .began(
        lifetime: number, outer: lifetime, listed: opened, bindings: bindings,
        mayBeCancelled: mayBeCancelled))
    var inner = self
    inner.lifetime = number
    for key in opened {
      inner.bindings[key] = .opened(Instance(key: key, lifetime: number, attempt: 1))
    }
    let specs = opened.map { runner.program.resources[$0] }
    if specs.contains(where: { $0.running == .fails }) { inner.runFails = true }
    let place = inner
    // The resources of this lifetime see it, and the bindings where it begins.
    let surroundings = Surroundings(
      program: runner.program, trace: trace, lifetime: number, bindings: bindings,
      mayBeCancelled: true)
    var scope: DependencyScope?
    let outcome: Outcome
    var failure: (any Error)?
    do {
      scope = try await DependencyScope.current.with { $0.surroundings = surroundings }.run {
        try await withResources(keys.map { allKeys[$0] }) {
          trace.record(.operating(lifetime: number))
          do {
            try await place.run(steps)
            trace.record(.operated(lifetime: number, .returned))
          } catch {
            trace.record(.operated(lifetime: number, Outcome(error)))
            throw error
          }
          return DependencyScope.current
        }
      }
      outcome = .returned
    } catch {
      outcome = Outcome(error)
      failure = error
    }
    trace.record(.returned(lifetime: number, outcome))
    if let scope { place.readAfterEnd(scope, number, opened) }
    if let failure { throw failure }
  }

  /// Reads every key in the scope of an operation that has ended.
  private func readAfterEnd(_ scope: DependencyScope, _ lifetime: Int, _ opened: [Int]) {
    for key in allKeys where opened.contains(key.number) || bindings[key.number] == nil {
      let count = issues { read(key, in: scope) }.count
      runner.trace.record(
        .readAfterEnd(
          lifetime: lifetime, key: key.number, issues: count,
          expected: opened.contains(key.number) ? 1 : 0))
    }
  }

  private func read<Key: RandomKey>(_ key: Key.Type, in scope: DependencyScope) {
    _ = scope[key]
  }
}
