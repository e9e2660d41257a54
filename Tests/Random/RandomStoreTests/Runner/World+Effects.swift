import ComposableReducers
import Synchronization

extension World {
  private struct Failure: Error {}

  func effect(_ spec: EffectSpec) -> Effect<Act> {
    switch spec {
    case .none: .none
    case .send(let action): .send(Act(action))
    case .run(let run): effect(run)
    case .merge(let effects): .merge(effects.map(effect))
    case .concatenate(let effects): .concatenate(effects.map(effect))
    case .map(let spec): effect(spec).map(\.marked)
    case .cancellable(let spec, .number(let id), let cancelInFlight):
      effect(spec).cancellable(id: id, cancelInFlight: cancelInFlight)
    case .cancellable(let spec, .name(let id), let cancelInFlight):
      effect(spec).cancellable(id: "\(id)", cancelInFlight: cancelInFlight)
    case .cancel(.number(let id)): .cancel(id: id)
    case .cancel(.name(let id)): .cancel(id: "\(id)")
    case .debounce(let spec, .number(let id)):
      effect(spec).debounce(id: id, for: .seconds(pause), clock: clock)
    case .debounce(let spec, .name(let id)):
      effect(spec).debounce(id: "\(id)", for: .seconds(pause), clock: clock)
    case .throttle(let spec, .number(let id), let latest):
      effect(spec).throttle(id: id, for: .seconds(pause), clock: clock, latest: latest)
    case .throttle(let spec, .name(let id), let latest):
      effect(spec).throttle(id: "\(id)", for: .seconds(pause), clock: clock, latest: latest)
    }
  }

  private func effect(_ run: RunSpec) -> Effect<Act> {
    unmapped(run).map { sent in
      if sent.isOvertaken, let task = Cause.task { self.tasks.withLock { $0 }[task].cancel() }
      return sent.act
    }
  }

  private struct Sent: Sendable {
    let act: Act
    var isOvertaken = false
  }

  private func unmapped(_ run: RunSpec) -> Effect<Sent> {
    let life = LaneLife(run.lane, journal)
    guard let caught = run.caught else {
      return .run { send in try await self.run(run, life, send) }
    }
    return .run { send in
      try await self.run(run, life, send)
      throw Failure()
    } catch: { _, send in
      self.journal.runStarts()
      defer { self.journal.runEnds() }
      self.journal.record(.lane(run.lane, .hasCaught(.current)))
      await send(Sent(act: Act(caught)))
    }
  }

  private func run(_ run: RunSpec, _ life: LaneLife, _ send: Send<Sent>) async throws {
    journal.runStarts()
    journal.record(.lane(run.lane, .starts(.current)))
    defer {
      journal.runEnds()
      journal.record(.lane(run.lane, .ends))
    }
    for (number, step) in run.steps.enumerated() {
      try await wait(run, send)
      let reading = await reading(during: step.hop)
      journal.record(
        .lane(
          run.lane,
          .goesOn(
            step: number, during: reading, after: .current,
            isCancelled: Task.isCancelled && send.isCancelled)))
      guard let action = step.action else { continue }
      await send(Sent(act: Act(action), isOvertaken: step.isOvertaken))
      let id = action.action.id
      journal.record(
        .lane(run.lane, .hasSent(action: id, isReduced: journal.isReduced(id))))
    }
  }

  private func wait(_ run: RunSpec, _ send: Send<Sent>) async throws {
    if run.isStubborn { return await gates.wait(at: run.lane) }
    do {
      try await gates.waitUnlessCancelled(at: run.lane)
    } catch {
      let knowsIt = Task.isCancelled && send.isCancelled
      journal.record(.lane(run.lane, .isCancelled(.current, knowsIt: knowsIt)))
      // Must be ignored.
      await send(Sent(act: .own(ActionSpec(id: -run.lane), tags: 0)))
      throw error
    }
  }

  private func reading(during hop: RunSpec.Hop) async -> Reading {
    switch hop {
    case .none: return .current
    case .yield:
      await Task.yield()
      return .current
    case .actor: return await actor.reading()
    case .mainActor: return await MainActor.run { Reading.current }
    case .child:
      return await withTaskGroup { group in
        group.addTask { Reading.current }
        return await group.next()!
      }
    case .task: return await Task { Reading.current }.value
    }
  }
}
