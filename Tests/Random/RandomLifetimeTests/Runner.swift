import ComposableDependencies
import ComposableResources
import TestSupport

/// Runs a program, and passes its bindings along as a plain dictionary.
struct Runner: Sendable {
  let program: Program
  let trace = Trace()
  /// The tasks that nothing in the program awaits.
  fileprivate let outliving = Shared<[Task<Void, Never>]>([])

  /// Returns the events, or `nil` if the program hangs.
  static func events(of program: Program, patience: Duration) async -> [Event]? {
    let runner = Runner(program: program)
    let ended = Signal()
    let run = Task {
      let reported = await issues { await runner.run() }
      // An error that `run` throws after the operation, and so no lifetime.
      for issue in reported where !issue.problem.hasPrefix("`run` of") { issue.report() }
      ended.raise()
    }
    guard await ended.wait(atMost: patience) else { return nil }
    await run.value
    return runner.trace.events
  }

  private func run() async {
    // Other tests may keep the machine busy.
    let scope = DependencyScope.isolated().with {
      $0.resourceClosingTime = .seconds(3_600)
      $0.opensResourcesInTests = true
    }
    for key in program.global { set(randomKey(key), in: scope) }
    if let alias = program.alias {
      scope.alias(
        allProperties[alias.key], to: allProperties[alias.target], fileID: #fileID, line: #line)
    }
    var bindings: [Int: Token] = [:]
    for key in program.global {
      // The root's own value comes first.
      let root = program.root(key)
      if key == root || bindings[root] == nil { bindings[root] = .global(key) }
    }
    let here = Place(runner: self, bindings: bindings)
    await scope.run {
      do { try await here.run(program.body) } catch {}
      while let task = outliving.value.last {
        outliving.update { $0.removeAll { $0 == task } }
        await task.value
      }
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
  /// Whether a lifetime around this place may end before, and whether that is the innermost.
  var outlives = false
  var outlivesInnermost = false

  private var trace: Trace { runner.trace }

  func run(_ steps: [Step]) async throws {
    for step in steps { try await run(step) }
  }

  private func run(_ step: Step) async throws {
    switch step {
    case .read(let key): read(randomKey(key))
    case .open(let key): try await open(randomKey(key))
    case .yield(let count):
      await yield(count)
      try Task.checkCancellation()
    case .fail: throw PlannedError(name: "fail \(trace.nextNumber())")
    case .untilCancelled:
      if runFails { await untilCancelled() }
      try Task.checkCancellation()
    case .lifetime(let keys, let steps): try await runLifetime(keys, steps)
    case .override(let key, let steps): try await override(randomKey(key), steps)
    case .group(let children): try await runGroup(children)
    case .attempt(let steps):
      do { try await run(steps) } catch {}
      try Task.checkCancellation()
    case .cancelled(let count, let steps): await runCancelled(after: count, steps)
    case .outliving(let steps): outlive(steps)
    case .rush(let key, let tasks): try await rush(randomKey(key), tasks)
    }
  }

  private func read<Key: RandomKey>(_ key: Key.Type) {
    let root = runner.program.root(key.number)
    let expected = bindings[root] ?? .default(root)
    var token = expected
    // What an outer lifetime has closed is reported.
    let issues = issues { token = DependencyScope.current[key] }
    trace.record(.read(key: key.number, token, expected: expected))
    if !outlives { for issue in issues { issue.report() } }
  }

  private func outlive(_ steps: [Step]) {
    var inner = self
    inner.outlives = true
    inner.outlivesInnermost = true
    inner.mayBeCancelled = false
    inner.runFails = false
    let place = inner
    runner.outliving.update { $0.append(Task { do { try await place.run(steps) } catch {} }) }
  }

  private func open<Key: RandomKey>(_ key: Key.Type) async throws {
    // Outside all lifetimes, there is nothing to check.
    guard let lifetime else { return }
    let surroundings = Surroundings(
      program: runner.program, trace: trace, lifetime: lifetime, bindings: bindings,
      mayBeCancelled: mayBeCancelled, outlives: outlives)
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
    inner.bindings[runner.program.root(key.number)] = token
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
    let root = runner.program.root
    // Aliased keys are listed once.
    let keys = keys.filter { key in keys.first { root($0) == root(key) } == key }
    // Overridden and global values stay; those of outer lifetimes don't.
    let opened = keys.filter { key in
      switch bindings[root(key)] {
      case .override, .global: false
      default: true
      }
    }
    trace.record(
      .began(
        lifetime: number, outer: lifetime, listed: opened, bindings: bindings,
        mayBeCancelled: mayBeCancelled, outlives: outlivesInnermost))
    var inner = self
    inner.lifetime = number
    inner.outlivesInnermost = false
    for key in opened {
      inner.bindings[root(key)] = .opened(Instance(key: key, lifetime: number, attempt: 1))
    }
    let specs = opened.map { runner.program.resources[$0] }
    if specs.contains(where: { $0.running == .fails }) { inner.runFails = true }
    let place = inner
    // The resources of this lifetime see it, and the bindings where it begins.
    let surroundings = Surroundings(
      program: runner.program, trace: trace, lifetime: number, bindings: bindings,
      mayBeCancelled: true, outlives: outlives)
    var scope: DependencyScope?
    let outcome: Outcome
    var failure: (any Error)?
    do {
      scope = try await DependencyScope.current.with { $0.surroundings = surroundings }.run {
        try await withResources(keys.map { randomKey($0) }) {
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
    // What is bound outside may have ended, too.
    if let scope, !outlives { place.readAfterEnd(scope, number, opened.map(root)) }
    if let failure { throw failure }
  }

  /// Reads every key in the scope of an operation that has ended.
  private func readAfterEnd(_ scope: DependencyScope, _ lifetime: Int, _ opened: [Int]) {
    let root = runner.program.root
    for key in allKeys
    where opened.contains(root(key.number)) || bindings[root(key.number)] == nil {
      let count = issues { read(key, in: scope) }.count
      runner.trace.record(
        .readAfterEnd(
          lifetime: lifetime, key: key.number, issues: count,
          expected: opened.contains(root(key.number)) ? 1 : 0))
    }
  }

  private func read<Key: RandomKey>(_ key: Key.Type, in scope: DependencyScope) {
    _ = scope[key]
  }
}
