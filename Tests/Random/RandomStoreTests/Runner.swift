import ComposableReducers
import Synchronization
import TestSupport

private struct WeakReference {
  weak var object: (any AnyObject & Sendable)?
}

/// Waits for store tasks, so that a test can know when one is waiting.
private actor Waiting {
  private var passes = 0

  func finish(_ task: StoreTask, _ hasBegun: Signal) async {
    hasBegun.raise()
    await task.finish()
  }

  func end(_ subject: Subject, _ hasBegun: Signal) async {
    hasBegun.raise()
    await subject.end()
  }

  /// Returns when every task that has begun to wait is waiting or done.
  ///
  /// It must do something, because otherwise the optimizer removes the hop to the actor.
  func pass() { passes += 1 }
}

/// Runs a program on the library.
struct Runner {
  private let world = World()
  private var subjects: [Subject?] = []
  private var dropped: [WeakReference] = []
  private var waiters: [Int: Task<Void, Never>] = [:]
  /// The store of each action that the program sent.
  private var storeOfTask: [Int] = []
  private let waiting = Waiting()

  /// Returns the difference from the prediction, if there is one.
  static func difference(
    of program: Program, from prediction: Prediction, patience: Duration
  ) async -> String? {
    var difference: String?
    var stores: [WeakReference] = []
    let issues = await issues {
      (difference, stores) = await run(program, prediction, patience)
    }
    guard difference == nil else {
      _ = await AliveCounter.parts.value.left(after: .milliseconds(200))
      AliveCounter.parts.update { $0 = AliveCounter() }
      return difference
    }
    if issues.count != prediction.issues {
      return "\(issues.count) issues were reported, not \(prediction.issues)"
    }
    let left = await AliveCounter.parts.value.left(after: patience)
    if left > 0 {
      AliveCounter.parts.update { $0 = AliveCounter() }
      return "\(left) objects of states, environments and reducers are left"
    }
    return stores.contains { $0.object != nil } ? "a store is left" : nil
  }

  private static func run(
    _ program: Program, _ prediction: Prediction, _ patience: Duration
  ) async -> (String?, [WeakReference]) {
    var runner = Runner()
    for (number, spec) in program.stores.enumerated() {
      let subject = await DependencyScope.root.with { $0.set(spec.surroundings) }.run {
        await Subject.make(spec, number, runner.world)
      }
      runner.subjects.append(subject)
    }
    for (number, step) in prediction.steps.enumerated() {
      runner.world.journal.begin(step)
      await runner.perform(step.operation, number + 1)
      let events = await runner.world.journal.events(after: patience)
      // An action is recorded before its effects start or cancel others.
      for subject in runner.subjects { _ = await subject?.state }
      if let difference = step.difference(from: events) {
        runner.endAll()
        return ("in step \(number + 1), \(step.operation): \(difference)", [])
      }
    }
    // Events that came too late for their step.
    for (step, events) in zip(prediction.steps, runner.world.journal.all.dropFirst()) {
      if let difference = step.difference(from: events) {
        return ("late: \(difference)", [])
      }
    }
    return (nil, runner.dropped)
  }

  private mutating func perform(_ operation: Operation, _ stepNumber: Int) async {
    let journal = world.journal
    switch operation {
    case .send(let store, let path, let action, let from):
      let subject = subjects[store]!
      let task = await Cause.$task.withValue(world.tasks.withLock { $0.count }) {
        await withDependencies {
          $0.set(from)
        } operation: {
          await subject.send(Act(path, action))
        }
      }
      world.tasks.withLock { $0.append(task) }
      storeOfTask.append(store)
    case .open(let lane): world.gates.open(lane)
    case .cancelTask(let task): world.tasks.withLock { $0 }[task].cancel()
    case .finish(let number):
      let task = world.tasks.withLock { $0 }[number]
      let hasBegun = Signal()
      waiters[stepNumber] = Task { [waiting] in
        await waiting.finish(task, hasBegun)
        journal.record(
          .finished(waiter: stepNumber, runsUnderWay: journal.runsUnderWay(of: number)))
      }
      // A task that is cancelled before it waits passes that on only when it runs.
      _ = await hasBegun.wait(atMost: .seconds(600))
      await waiting.pass()
    case .cancelFinish(let waiter): waiters[waiter]!.cancel()
    case .advance(let duration): await world.clock.advance(by: .seconds(duration))
    case .readState(let store):
      journal.record(.state(store: store, await subjects[store]!.state.summary))
    case .end(let store):
      let subject = subjects[store]!
      let tasks = storeOfTask.indices.filter { storeOfTask[$0] == store }
      let hasBegun = Signal()
      Task { [waiting] in
        await waiting.end(subject, hasBegun)
        let count = tasks.reduce(0) { $0 + journal.runsUnderWay(of: $1) }
        journal.record(.ended(waiter: stepNumber, runsUnderWay: count))
      }
      _ = await hasBegun.wait(atMost: .seconds(600))
      await waiting.pass()
    case .drop(let store):
      dropped.append(WeakReference(object: subjects[store]!.object))
      subjects[store] = nil
    }
  }

  /// Ends everything that is running, after a failure.
  private func endAll() {
    for task in world.tasks.withLock({ $0 }) { task.cancel() }
    world.gates.openAll()
  }
}

/// A store of either kind.
struct Subject: Sendable {
  let object: any AnyObject & Sendable
  let send: @Sendable (Act) async -> StoreTask
  let end: @Sendable () async -> Void
  private let readState: @Sendable () async -> Node

  /// The state, after the store has reduced its actions and started their effects.
  var state: Node { get async { await readState() } }

  /// Creates a store in the current scope.
  static func make(_ spec: StoreSpec, _ number: Int, _ world: World) async -> Subject {
    switch spec.root.kind {
    case .composable:
      var environment = ComposableFeature()
      environment.child = environment.child.overriding(spec.childOverrides)
      return await make(environment, spec, number, world)
    case .global:
      var environment = GlobalFeature()
      environment.child = environment.child.overriding(spec.childOverrides)
      return await make(environment, spec, number, world)
    case .plain:
      return await make(PlainFeature(), spec, number, world)
    }
  }

  private static func make<Environment: TreeEnvironment>(
    _ environment: Environment, _ spec: StoreSpec, _ number: Int, _ world: World
  ) async -> Subject {
    let state = Node(spec.root, life: .part { world.journal.record(.gone(store: number)) })
    let reducer: Reducer<Node, Act, Environment> = world.reducer(
      spec.root, isRoot: true, store: number)
    if spec.isObservable {
      let store = await ObservableStore(
        initialState: state, reducer: reducer, environment: environment)
      return Subject(
        object: store, send: { await store.send($0) }, end: { await store.cancelAndFinish() },
        readState: { await store.state })
    }
    let store = Store(initialState: state, reducer: reducer, environment: environment)
    return Subject(
      object: store, send: { await store.send($0) }, end: { await store.cancelAndFinish() },
      readState: { await store.state })
  }
}

/// An environment that names its children's environments.
protocol TreeEnvironment: Sendable {
  func composable(_ overrides: Overrides) -> ComposableFeature
  func global() -> GlobalFeature
}

struct ComposableFeature: ComposableEnvironment, TreeEnvironment {
  let scope = DependencyScope.current
  var life = Tracked.part()
  @DerivedEnvironment<ComposableFeature> var child
  @DerivedEnvironment<GlobalFeature> var globalChild

  mutating func adopt(from other: Self) {
    life = other.life
  }

  func composable(_ overrides: Overrides) -> ComposableFeature { child.overriding(overrides) }
  func global() -> GlobalFeature { globalChild }

  func overriding(_ overrides: Overrides) -> ComposableFeature {
    overrides.isEmpty ? self : with { $0.set(overrides) }
  }
}

struct GlobalFeature: GlobalEnvironment, TreeEnvironment {
  let life = Tracked.part()
  @DerivedEnvironment<ComposableFeature> var child
  @DerivedEnvironment<GlobalFeature> var globalChild

  func composable(_ overrides: Overrides) -> ComposableFeature { child.overriding(overrides) }
  func global() -> GlobalFeature { globalChild }
}

struct PlainFeature: TreeEnvironment {
  let life = Tracked.part()

  func composable(_ overrides: Overrides) -> ComposableFeature {
    ComposableFeature().overriding(overrides)
  }

  func global() -> GlobalFeature { GlobalFeature() }
}

extension Dependencies {
  mutating func set(_ overrides: Overrides) {
    for (key, value) in overrides {
      switch key {
      case 0: a = value
      case 1: b = value
      case 2: c = value
      default: d = value
      }
    }
  }
}

extension Reading {
  static var current: Reading {
    let scope = DependencyScope.current
    return Reading(values: [scope.a, scope.b, scope.c, scope.d, scope.double])
  }
}
