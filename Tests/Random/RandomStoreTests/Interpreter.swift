import TestSupport

/// Predicts what a program does, by the rules alone.
///
/// Scopes are dictionaries that are passed along, and what can run runs immediately.
final class Interpreter {
  /// An operation whose outcome depends on timing in a way that no set of outcomes covers.
  struct Unpredictable: Error {
    var operation: Int
  }

  var stores: [ModelStore]
  var prediction = Prediction()
  var step = PredictedStep(operation: .advance(0))
  var stepNumber = 0
  var now = 0
  /// The runs that wait at a gate, by their lanes.
  var parked: [Int: () -> Void] = [:]
  var sleepers: [Sleeper] = []
  var sleepCount = 0
  /// How many sequences are continuing because a task has ended.
  var continuations = 0
  /// Tasks to start when no reducer is running.
  var launches: [() -> Void] = []
  var finishedInThisStep: [(store: ModelStore, task: ModelTask)] = []
  var isUnpredictable = false
  var hasToggled = false
  var hasRacingActions = false
  private var sent: [ModelFlight] = []
  private var finishing: [(waiter: Int, flight: ModelFlight)] = []

  struct Sleeper {
    let id: Int
    let deadline: Int
    let wake: () -> Void
  }

  private init(_ program: Program) {
    stores = program.stores.enumerated().map { ModelStore($0, $1) }
    for store in stores { cover(store.spec) }
    if stores.count > 1 { cover("two stores") }
  }

  /// Returns the program without unpredictable operations, and the prediction of the rest.
  static func prediction(of program: Program) -> (Program, Prediction) {
    var program = program
    while true {
      do throws(Unpredictable) {
        return (program, try Interpreter(program).run(program))
      } catch {
        // An unpredictable end is caused by something that was still running.
        program.operations.remove(at: min(error.operation, program.operations.count - 1))
      }
    }
  }

  private func run(_ program: Program) throws(Unpredictable) -> Prediction {
    for (number, operation) in program.operations.enumerated() {
      try take(operation, number)
    }
    // At the end, everything is released and ends.
    let count = program.operations.count
    for store in stores.indices { try take(.drop(store: store), count) }
    while !parked.isEmpty { try take(.open(0), count) }
    return prediction
  }

  private func take(_ operation: Operation, _ number: Int) throws(Unpredictable) {
    guard let operation = resolve(operation) else { return }
    step = PredictedStep(operation: operation)
    stepNumber += 1
    finishedInThisStep = []
    hasToggled = false
    hasRacingActions = false
    perform(operation)
    startLaunched()
    if isUnpredictable || (hasToggled && hasRacingActions) {
      throw Unpredictable(operation: number)
    }
    prediction.steps.append(step)
  }

  /// Returns the operation with its choices made; `nil` if there is nothing to choose from.
  private func resolve(_ operation: Operation) -> Operation? {
    func choose<Value>(_ pick: Int, of values: [Value]) -> Value? {
      values.isEmpty ? nil : values[pick % values.count]
    }
    return switch operation {
    case .send(let store, _, _, _), .readState(let store), .drop(let store), .end(let store):
      stores[store].isThere ? operation : nil
    case .open(let pick): choose(pick, of: parked.keys.sorted()).map { .open($0) }
    case .cancelTask(let pick): choose(pick, of: Array(sent.indices)).map { .cancelTask($0) }
    case .finish(let pick): choose(pick, of: Array(sent.indices)).map { .finish($0) }
    case .cancelFinish(let pick): choose(pick, of: finishing).map { .cancelFinish($0.waiter) }
    case .advance: operation
    }
  }

  private func perform(_ operation: Operation) {
    switch operation {
    case .send(let store, let path, let action, _):
      cover("send")
      let flight = ModelFlight()
      sent.append(flight)
      if stores[store].hasEnded {
        cover("refused action")
        prediction.issues += 1
        return
      }
      receive(path, action, tags: 0, in: flight, stores[store])
    case .open(let lane):
      cover("open")
      parked.removeValue(forKey: lane)!()
    case .cancelTask(let task):
      cover("cancel task")
      cancel(sent[task])
    case .finish(let task):
      cover("finish")
      let (flight, waiter) = (sent[task], stepNumber)
      finishing.append((waiter, flight))
      if !flight.cancelled.isEmpty { cover("finish that waits for others") }
      flight.whenFinished { [self] in
        finishing.removeAll { $0.waiter == waiter }
        record(.finished(waiter: waiter, runsUnderWay: 0))
      }
    case .cancelFinish(let waiter):
      cover("cancel finish")
      if let flight = finishing.first(where: { $0.waiter == waiter })?.flight { cancel(flight) }
    case .advance(let duration):
      cover("advance")
      now += duration
      let due = sleepers.filter { $0.deadline <= now }
      sleepers.removeAll { $0.deadline <= now }
      for sleeper in due { sleeper.wake() }
    case .readState(let store):
      cover("read state")
      record(.state(store: store, stores[store].node.summary))
    case .end(let store):
      cover(stores[store].hasEnded ? "second end" : "end")
      let waiter = stepNumber
      stores[store].hasEnded = true
      cancel(stores[store].running)
      if !stores[store].running.isEmpty { cover("end that waits") }
      stores[store].whenEmpty { [self] in record(.ended(waiter: waiter, runsUnderWay: 0)) }
    case .drop(let store):
      cover("drop")
      stores[store].isThere = false
      cancel(stores[store].running)
      // Whatever waits for its end keeps it.
      stores[store].whenEnded { [self] in record(.gone(store: store)) }
    }
  }
}

extension Interpreter {
  func record(_ event: Event) {
    step.events.append(event)
  }

  func cover(_ name: String) {
    prediction.coverage.count(name)
  }

  private func cover(_ spec: StoreSpec) {
    cover(spec.isObservable ? "observable store" : "store")
    if !spec.childOverrides.isEmpty { cover("overrides of a child") }
  }
}

/// An observable event of a program.
enum Event: Hashable, Sendable {
  /// A reducer ran. An `echo` is the root's reducer, for an action of a child.
  case reduced(store: Int, action: Int, isEcho: Bool, tags: Int, Reading, isRacing: Bool)
  /// The root received a child's action, whether the child exists or not.
  case passed(store: Int, action: Int)
  case lane(Int, LaneEvent)
  case sleeps(until: Int)
  /// The task that waited for an action's effects continues.
  case finished(waiter: Int, runsUnderWay: Int)
  /// The task that ended a store continues.
  case ended(waiter: Int, runsUnderWay: Int)
  case state(store: Int, String)
  /// The state of a store is freed.
  case gone(store: Int)

  /// The stream in which events are ordered; `nil` for unordered events.
  var stream: Stream? {
    switch self {
    case .reduced(let store, _, _, _, _, isRacing: false): .store(store)
    case .lane(let lane, _): .lane(lane)
    default: nil
    }
  }
}

enum LaneEvent: Hashable, Sendable {
  case starts(Reading)
  case continues(step: Int, Reading, isCancelled: Bool)
  case hasSent(action: Int, isReduced: Bool)
  case isCancelled(Reading, knowsIt: Bool)
  case hasCaught(Reading)
  case ends
}

enum Stream: Hashable {
  case store(Int)
  case lane(Int)
}

/// The values of the keys `a` to `d`, and of one whose default is computed from `a`.
struct Reading: Hashable, Sendable {
  var values: [Int]

  init(_ overrides: Overrides) {
    values = (0..<4).map { overrides[$0] ?? $0 + 1 }
    values.append(values[0] * 2)
  }

  init(values: [Int]) {
    self.values = values
  }
}
