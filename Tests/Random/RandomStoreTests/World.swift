import ComposableReducers
import ComposableTesting
import Synchronization
import TestSupport

/// What the reducers and effects of one program share.
final class World: Sendable {
  let journal = Journal()
  let gates = Gates()
  let clock: TellingClock
  /// The store tasks of the actions that the program sent.
  let tasks = Mutex<[StoreTask]>([])

  init() {
    clock = TellingClock(journal: journal)
  }
}

/// The program's action that an event comes from.
enum Cause {
  @TaskLocal static var task: Int?
}

/// A program's clock, which reports its sleepers.
///
/// It shows the end of an advance before it wakes any task. Nothing here waits until woken tasks
/// have run, so their reads in between would be random.
final class TellingClock: Clock {
  private let base = TestClock()
  private let journal: Journal
  private let shown = Mutex(TestClock.Instant())

  init(journal: Journal) {
    self.journal = journal
  }

  var now: TestClock.Instant { shown.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    journal.record(.sleeps(until: Int(deadline.offset.components.seconds)))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }

  func advance(by duration: Duration) async {
    let end = now.advanced(by: duration)
    shown.withLock { $0 = end }
    await base.advance(to: end)
  }
}

extension World {
  /// The reducer of a feature and everything below it.
  func reducer<Environment: TreeEnvironment>(
    _ feature: Feature, isRoot: Bool = false, store: Int
  ) -> Reducer<Node, Act, Environment> {
    let life = Tracked.part()
    let own = Reducer<Node, Act, Environment> { node, act, _ in
      _ = life
      let (action, tags) = act.leaf
      if case .own = act {
        self.record(action, tags, isEcho: false, store)
        if action.isRacing { node.racing.insert(action.id) } else { node.log.append(action.id) }
        if let child = action.toggledChild { node.toggle(child) }
        return self.effect(action.effect)
      }
      guard isRoot else { return .none }
      self.journal.record(.passed(store: store, action: action.id))
      guard action.echo.isSomething else { return .none }
      self.record(action, tags, isEcho: true, store)
      return self.effect(action.echo)
    }
    var children = feature.children
    guard feature.recursion != nil, let below = children.popLast() else {
      return .combine(pulledBack(children, store) + [own])
    }
    return .recursive { reducer in
      .combine(
        pulledBack(children, store) + [named(reducer, below, children.count) { $0 }, own])
    }
  }

  private func pulledBack<Environment: TreeEnvironment>(
    _ children: [Feature], _ store: Int
  ) -> [Reducer<Node, Act, Environment>] {
    children.indices.map { pulledBack(children[$0], $0, store) }
  }

  private func record(_ action: ActionSpec, _ tags: Int, isEcho: Bool, _ store: Int) {
    journal.record(
      .reduced(
        store: store, action: action.id, isEcho: isEcho, tags: tags, .current,
        isRacing: action.isRacing && !isEcho))
  }

  private func pulledBack<Environment: TreeEnvironment>(
    _ feature: Feature, _ number: Int, _ store: Int
  ) -> Reducer<Node, Act, Environment> {
    switch (feature.kind, feature.source) {
    case (.composable, .made):
      made(reducer(feature, store: store) as Reducer<Node, Act, ComposableFeature>, feature, number)
    case (.composable, .named(let overrides)):
      named(reducer(feature, store: store), feature, number) { $0.composable(overrides) }
    case (.global, .made):
      made(reducer(feature, store: store) as Reducer<Node, Act, GlobalFeature>, feature, number)
    case (.global, .named):
      named(reducer(feature, store: store), feature, number) { $0.global() }
    case (.plain, _), (_, .same):
      named(reducer(feature, store: store), feature, number) { _ in PlainFeature() }
    }
  }

  private func made<Child: DependencyEnvironment, Environment: TreeEnvironment>(
    _ child: Reducer<Node, Act, Child>, _ feature: Feature, _ number: Int
  ) -> Reducer<Node, Act, Environment> {
    let path = Act.path(to: number)
    let elements = Act.path(toElementsOf: number)
    switch feature.link {
    case .property:
      return child.pullback(state: \.children[number].property, action: path)
    case .optional:
      return child.optional().pullback(state: \.children[number].optional, action: path)
    case .enumCase:
      let variant: Reducer<Variant, Act, Environment> = child.pullback(
        state: Variant.node, action: path)
      return variant.pullback(
        state: \.children[number].enumCase, action: .identity, environment: { $0 })
    case .identifiedArray:
      return child.forEach(state: \.children[number].identifiedArray, action: elements)
    case .dictionary:
      return child.forEach(state: \.children[number].dictionary, action: elements)
    }
  }

  private func named<Child: TreeEnvironment, Environment: TreeEnvironment>(
    _ child: Reducer<Node, Act, Child>, _ feature: Feature, _ number: Int,
    _ environment: @escaping @Sendable (Environment) -> Child
  ) -> Reducer<Node, Act, Environment> {
    let path = Act.path(to: number)
    let elements = Act.path(toElementsOf: number)
    switch feature.link {
    case .property:
      return child.pullback(
        state: \.children[number].property, action: path, environment: environment)
    case .optional:
      return child.optional().pullback(
        state: \.children[number].optional, action: path, environment: environment)
    case .enumCase:
      let variant: Reducer<Variant, Act, Environment> = child.pullback(
        state: Variant.node, action: path, environment: environment)
      return variant.pullback(
        state: \.children[number].enumCase, action: .identity, environment: { $0 })
    case .identifiedArray:
      return child.forEach(
        state: \.children[number].identifiedArray, action: elements, environment: environment)
    case .dictionary:
      return child.forEach(
        state: \.children[number].dictionary, action: elements, environment: environment)
    }
  }
}

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
    case .cancellable(let spec, let id, let cancelInFlight):
      effect(spec).cancellable(id: id.value, cancelInFlight: cancelInFlight)
    case .cancel(let id): .cancel(id: id.value)
    case .debounce(let spec, let id):
      effect(spec).debounce(id: id.value, for: .seconds(pause), clock: clock)
    case .throttle(let spec, let id, let latest):
      effect(spec).throttle(id: id.value, for: .seconds(pause), clock: clock, latest: latest)
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
    let life = Tracked.part()
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

  private func run(
    _ run: RunSpec, _ life: Tracked, _ send: Send<Sent>, isPart: Bool = false
  ) async throws {
    journal.runStarts()
    journal.record(.lane(run.lane, .starts(.current)))
    defer {
      journal.runEnds()
      journal.record(.lane(run.lane, .ends))
    }
    try await withThrowingTaskGroup { group in
      for (number, step) in run.steps.enumerated() {
        try await wait(run, send)
        // The task of a part may begin before its starter can cancel it.
        let isCancelled = send.isCancelled && (isPart || Task.isCancelled)
        journal.record(
          .lane(run.lane, .continues(step: number, .current, isCancelled: isCancelled)))
        if let part = step.part {
          group.addTask { await self.run(part, life, send) }
        }
        guard let action = step.action else { continue }
        await send(Sent(act: Act(action), isOvertaken: step.isOvertaken))
        let id = action.action.id
        journal.record(
          .lane(run.lane, .hasSent(action: id, isReduced: journal.isReduced(id))))
      }
      try await group.waitForAll()
    }
  }

  private func run(_ part: RunSpec.Part, _ life: Tracked, _ send: Send<Sent>) async {
    try? await send.withTaskCancellation(id: part.id.value, cancelInFlight: part.cancelInFlight) {
      try await self.run(part.run, life, $0, isPart: true)
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
}
