import ComposableDependencies
import ComposableResources
import TestSupport

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
