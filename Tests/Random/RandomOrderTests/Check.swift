import StandardDependencies
import TestSupport

@testable import ScheduleExploring
@testable import TestRuntime

/// Compares what a program does with what the model allows.
struct Check: Sendable {
  let program: Program
  private let code: Code
  private let steps: Model
  private let search: Search

  init(_ program: Program) {
    self.program = program
    code = Code(program)
    steps = Model(code, by: .step, remembering: .trace)
    search = Search(program)
  }

  /// The numbers of orders, states and schedules above which a program is too large to compare all.
  private static let (orderLimit, stateLimit, scheduleLimit) = (400, 3_000, 500)

  /// Whether a task of a program may wait for something that never happens, or the program is too large to know.
  static func mayHang(_ program: Program) -> Bool { ends(of: Code(program))?.mayHang ?? true }

  private static func ends(of code: Code) -> Model.Ends? {
    Model(code, by: .instruction, remembering: .outcome).ends(limit: stateLimit)
  }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let difference = await differenceOfRuns(patience, &coverage)
    if difference == nil, program.rooms.contains(.global),
      await !Runner.globalActorIsFree(within: patience)
    {
      return self.difference("actor", "nobody else can enter the global actor afterwards")
    }
    return difference
  }

  private func differenceOfRuns(
    _ patience: Duration, _ coverage: inout Coverage
  ) async -> RandomDifference? {
    let ends = Self.ends(of: code)
    guard let ends, !ends.mayHang else {
      coverage.count(ends == nil ? "too large" : "may hang")
      return nil
    }
    let outcomes = ends.outcomes
    for kind in Set(code.tasks.map(\.kind)) { coverage.count(kind.rawValue) }
    let mayFail = code.tasks.contains {
      $0.hasScope
        && $0.instructions.contains { if case .mayFail = $0 { true } else { false } }
    }
    if mayFail { coverage.count("failing calls") }
    if program.isBesideLibrary { coverage.count("another library") }
    let native = await natively(outcomes, patience)
    if let difference = native.difference { return difference }
    let (outcome, traces) = await search.explore(limit: Self.scheduleLimit)
    guard case .passed(let exploration) = outcome else {
      return difference("failure", "\(outcome.failures) after \(traces.count) schedules")
    }
    coverage.count(exploration.isExhaustive ? "all orders" : "not all orders")
    if code.tasks.contains(where: \.hasLock) {
      coverage.count(exploration.lockPlaces.isEmpty ? "unneeded lock" : "lock")
      // Work elsewhere comes back at different times.
      if !exploration.isRepeatable, !code.leaves { return difference("lock", "\(exploration)") }
    }
    let visited = code.tasks.reduce(into: Set<Int>()) { $0.formUnion($1.rooms) }.map {
      code.rooms[$0]
    }
    if code.leaves {
      coverage.count(visited.contains(.outside) ? "outside" : "queue.async")
      // What the test doesn't wait for may come back after its schedules, where nobody sees it.
      return exploration.isExhaustive && code.waits(for: .outside)
        ? difference("outside", "\(exploration), although work leaves the executor") : nil
    }
    // Work elsewhere may outlive its schedule, but not here.
    // A schedule in which a lock is found ends before what waits for that.
    let hasLock = code.tasks.contains(where: \.hasLock)
    for trace in traces where !hasLock && !outcomes.contains(code.outcome(of: trace)) {
      return difference("impossible", "\(trace) happened, which no actors allow")
    }
    // How many steps a store takes is its own business.
    if !visited.contains(.store),
      let difference = await compare(traces, exploration, outcomes, native.outcomes, &coverage)
    {
      return difference
    }
    if let difference = await plain(patience, &coverage) { return difference }
    return await repeated()
  }

  /// Explores while another test uses the same actors.
  func neighboring() async -> (difference: RandomDifference?, isExhaustive: Bool)? {
    guard let ends = Self.ends(of: code), !ends.mayHang else { return nil }
    let (outcome, traces) = await search.explore(limit: 20)
    guard case .passed(let exploration) = outcome else {
      return (difference("failure", "\(outcome.failures) after \(traces.count) schedules"), false)
    }
    let isExhaustive = exploration.isExhaustive
    if code.leaves || code.tasks.contains(where: \.hasLock) { return (nil, isExhaustive) }
    // Time passes while a task waits for an actor that the other test uses.
    if !isExhaustive, code.sleeps { return (nil, false) }
    let outcomes = ends.outcomes
    for trace in traces where !outcomes.contains(code.outcome(of: trace)) {
      // What the test doesn't wait for may be in the other test's hands when its schedule ends.
      if isExhaustive || trace.count == code.atoms.count {
        return (difference("impossible", "\(trace) happened, which no actors allow"), isExhaustive)
      }
    }
    if isExhaustive, !mayHide, !startsImmediately, !code.rooms.contains(.store),
      let orders = steps.orders(limit: Self.orderLimit),
      let missing = Set(orders.traces.keys.map(code.outcome))
        .subtracting(traces.map(code.outcome)).first
    {
      return (difference("missing", "\(exploration), but not \(missing)"), true)
    }
    return (nil, isExhaustive)
  }

  /// Compares a test that isn't explored with the plain schedule.
  private func plain(
    _ patience: Duration, _ coverage: inout Coverage
  ) async -> RandomDifference? {
    // Without an exploration, time is real, and closures that are interleaved don't suspend.
    let isElsewhere = code.tasks.contains {
      $0.instructions.contains {
        switch $0 {
        case .sleep, .choose, .mayFail: true
        default: false
        }
      }
    }
    if isElsewhere { return nil }
    guard let plain = await search.runPlain(atMost: patience) else {
      return difference("plain end", "it doesn't end in a test that isn't explored")
    }
    let schedule = await search.run(.given(.plain))
    coverage.count("plain test")
    return plain.trace == schedule.trace && plain.words == schedule.words
      ? nil
      : difference(
        "plain",
        """
        \(plain.trace)
        \(plain.words.joined(separator: "\n"))
        but the plain schedule gives \(schedule.trace)
        \(schedule.words.joined(separator: "\n"))
        """)
  }

  /// Compares an exploration with the model of steps.
  private func compare(
    _ traces: [Trace], _ exploration: Exploration, _ outcomes: Set<Outcome>,
    _ native: Set<Outcome>, _ coverage: inout Coverage
  ) async -> RandomDifference? {
    guard let orders = steps.orders(limit: Self.orderLimit) else { return nil }
    let expected = Set(orders.traces.keys.map(code.outcome))
    coverage.count(expected == outcomes ? "nothing hidden" : "hidden outcomes")
    if expected != outcomes, !mayHide && !startsImmediately || !expected.isSubset(of: outcomes) {
      return difference("model", "by steps: \(expected)\nby instructions: \(outcomes)")
    }
    guard exploration.isExhaustive else { return beyond(exploration, traces, orders) }
    let found = Set(traces.map(code.outcome))
    // Plain code runs at once, even if others could see half of what it does.
    if mayHide { return nil }
    if let outcome = native.subtracting(found).first {
      return difference("native", "natively \(outcome), but not of \(exploration)\n\(await text)")
    }
    if startsImmediately { return nil }
    if let outcome = expected.subtracting(found).first {
      return difference("missing", "\(exploration), but not \(outcome)\n\(await text)")
    }
    // The executor doesn't always know whether others notice a boundary.
    let isEachOnce = await areDifferent(exploration.schedules)
    coverage.count(isEachOnce ? "each order once" : "an order twice")
    coverage.count(exploration.schedules == orders.count ? "as many orders" : "other boundaries")
    if !code.rooms.indices.contains(where: code.isShared),
      !isEachOnce || exploration.schedules != orders.count
    {
      return difference("number", "\(exploration) of \(orders.count)\n\(await text)")
    }
    // Too few schedules for all orders run all with so many switches.
    let (outcome, traces) = await search.explore(limit: exploration.schedules / 2)
    guard case .passed(let part) = outcome else { return difference("failure", "in a part") }
    coverage.count("up to \(part.switches) switches")
    return beyond(part, traces, orders)
  }

  /// An order of the model within the number of switches of an exploration, which hasn't run.
  private func beyond(
    _ exploration: Exploration, _ traces: [Trace], _ orders: Model.Orders
  ) -> RandomDifference? {
    if mayHide || startsImmediately || exploration.isExhaustive { return nil }
    let found = Set(traces.map(code.outcome))
    return orders.traces.first {
      $0.value <= exploration.switches && !found.contains(code.outcome(of: $0.key))
    }.map { difference("bound", "\($0.key) has \($0.value) switches, but isn't of \(exploration)") }
  }

  private func difference(_ kind: String, _ text: String) -> RandomDifference {
    RandomDifference(kind: kind, text: "\(program)\nIt fails: \(text)")
  }

  /// Whether an order that is natively possible need not be explored.
  private var mayHide: Bool {
    code.tasks.contains { task in
      // Tasks that start on an actor wait for it in their order.
      task.kind == .here || task.kind == .global || task.hasLock
        // In an optimized build, its creator goes on to an idle actor without a step.
        || Self.isOptimized && task.kind == .immediate && task.instructions.contains(.choose)
        // Others notice by a lock when this happens, between two boundaries.
        || task.instructions.contains {
          switch $0 {
          case .send, .open, .check, .cancel, .receive: true
          default: false
          }
        }
    }
  }

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  /// Whether a task starts on its creator's thread, which the model of steps doesn't know.
  private var startsImmediately: Bool { code.tasks.contains { $0.kind == .immediate } }

  // MARK: - Native runs

  /// Runs the program on all cores, many times.
  private func natively(
    _ outcomes: Set<Outcome>, _ patience: Duration
  ) async -> (difference: RandomDifference?, outcomes: Set<Outcome>) {
    // Real time passes in another order.
    let sleeps = code.tasks.contains {
      $0.instructions.contains { if case .sleep = $0 { true } else { false } }
    }
    if sleeps { return (nil, []) }
    let (traces, ended) = (Shared<Set<Trace>>([]), Signal())
    Task.detached {
      await withDiscardingTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              let runner = Runner(program, isNative: true)
              await runner.run()
              await runner.finish()
              traces.update { $0.insert(runner.close()) }
            }
          }
        }
      }
      ended.raise()
    }
    guard await ended.wait(atMost: patience) else {
      return (difference("native end", "it doesn't end natively"), [])
    }
    for trace in traces.value {
      if trace.map(\.atom).sorted() != code.atoms {
        return (difference("native atoms", "natively, \(trace) happened"), [])
      }
      let outcome = code.outcome(of: trace)
      if !outcomes.contains(outcome) {
        return (
          difference("native", "natively, \(trace) happened, which the model doesn't allow"), []
        )
      }
    }
    return (nil, Set(traces.value.map(code.outcome)))
  }

  // MARK: - Explored runs

  /// All schedules, for a message.
  private var text: String {
    get async {
      await search.all(limit: 60)?.map { "\($0.trace): \($0.words.joined(separator: "; "))" }
        .joined(separator: "\n") ?? ""
    }
  }

  /// Whether no two schedules have the same steps.
  private func areDifferent(_ count: Int) async -> Bool {
    let words = await search.all(limit: count)?.map(\.words) ?? []
    return Set(words).count == count
  }

  /// Runs a random schedule, and then the token that it gives.
  private func repeated() async -> RandomDifference? {
    for seed in 0..<2 as Range<UInt64> {
      var first = await search.run(UniformOrder(numbers: SplitMix64(seed: seed)))
      // Each time, it finds another place of a lock.
      for _ in 0..<10 where first.result.findings.isCut {
        first = await search.run(UniformOrder(numbers: SplitMix64(seed: seed)))
      }
      if first.result.findings.isCut {
        return difference("lock", "the place of a lock is forgotten")
      }
      for _ in 0..<5 {
        guard let token = ScheduleToken(first.token.text) else {
          return difference("token", "\(first.token.text) isn't a token")
        }
        let again = await search.run(.given(token.schedule))
        if again.trace != first.trace || again.words != first.words
          || !token.fits(again.result.record)
        {
          return difference(
            "token", "\(token.text) gives \(again.trace) instead of \(first.trace)")
        }
      }
    }
    return nil
  }
}
