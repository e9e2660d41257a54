/// What concurrent Swift code may do, and where a test's executor lets another task run.
///
/// *By instructions*, any task may go on after each instruction of another. An actor, also the main
/// actor, has one task at a time, which leaves it where it suspends. Who goes to a default actor takes it,
/// or waits in its queue, before it leaves the last one; of those who wait, the highest priority comes
/// first. Time moves if nothing can run.
///
/// *By steps*, a task goes on up to the next boundary:
/// - It suspends: it yields, sleeps, or waits for a continuation, an element, or a task's end.
/// - It leaves an actor, also the main actor, that another task of the program visits.
/// - It makes another task ready, and then enters an actor that others visit in the same step.
///
/// Where a call may fail, the task goes on in the same step, whatever the call does.
///
/// At a boundary, by default the running task goes on, and otherwise the task that has been ready
/// for longest. A task that starts or resumes on a default actor waits for it in a job of the
/// actor's. So does one that enters while another holds the actor, or while such a job is ready. The job
/// runs all tasks that wait. If a task makes another one ready, the rest becomes a job of its own.
///
/// An executor may have more boundaries, where it doesn't know whether others notice them.
struct Model: Sendable {
  enum Grain: Sendable { case instruction, step }
  /// What a state remembers.
  enum Memory: Sendable { case outcome, trace }

  let code: Code
  let grain: Grain
  let memory: Memory
  private let isShared: [Bool]

  init(_ code: Code, by grain: Grain, remembering memory: Memory) {
    self.code = code
    self.grain = grain
    self.memory = memory
    isShared = code.rooms.indices.map(code.isShared)
  }

  enum Status: Hashable { case unstarted, entering, running, queued, waiting, sleeping(Int), ended }

  struct Task: Hashable {
    /// The index of its next instruction.
    var next = 0
    var status = Status.unstarted
    /// Where it is, or where it will be when it goes on.
    var room: Int?
    var isCancelled = false
    var received = 0
  }

  enum Ready: Hashable {
    case task(Int)
    /// A job of an actor.
    case actor(Int)
  }

  struct State: Hashable {
    var tasks: [Task]
    /// The tasks that hold the actors.
    var holders: [Int?]
    /// The tasks that wait for the actors, in the order in which they came.
    var queues: [[Int]]
    var isOpen: Set<Int> = []
    var elements: [Int: [Int]] = [:]
    /// The tasks that wait for elements.
    var receivers: [Int: [Int]] = [:]
    var now = 0
    var trace: Trace = []
    var outcome: Outcome = [:]

    // By steps only.
    var ready: [Ready] = []
    var running: Int?
    /// The actor whose job runs, if it is one of an actor.
    var turn: Int?
    var hasMadeReady = false
    /// Whether the running task is where a call may fail.
    var isDeciding = false

    /// Whether the test's body has ended, so that no more time passes.
    var isOver: Bool { tasks[0].status == .ended }
    var waits: Bool { tasks.contains { $0.status == .waiting } }
  }

  var start: State {
    var state = State(
      tasks: code.tasks.map { Task(room: $0.room) },
      holders: Array(repeating: nil, count: code.rooms.count),
      queues: Array(repeating: [], count: code.rooms.count))
    makeReady(0, in: &state)
    return state
  }
}

// MARK: - What may come next

extension Model {
  /// The states that may follow, of which the first is the plain choice; none if nothing can run.
  func successors(of state: State) -> [State] {
    let next = grain == .step ? steps(of: state) : instructions(of: state)
    if !next.isEmpty { return next }
    let deadlines = state.tasks.indices.compactMap { task in
      if case .sleeping(let deadline) = state.tasks[task].status { (task, deadline) } else { nil }
    }
    guard !state.isOver, let first = deadlines.map(\.1).min() else { return [] }
    var awake = state
    awake.now = first
    for (task, deadline) in deadlines where deadline == first { makeReady(task, in: &awake) }
    return successors(of: awake)
  }

  private func instructions(of state: State) -> [State] {
    var next: [State] = []
    for id in state.tasks.indices {
      let task = state.tasks[id]
      var after = state
      switch task.status {
      case .running: perform(id, in: &after)
      case .entering where hasQueue(task.room!) || state.holders[task.room!] == nil:
        enter(id, in: &after)
      case .queued where state.holders[task.room!] == nil && first(in: task.room!, of: state) == id:
        holdFirst(in: task.room!, in: &after)
      default: continue
      }
      if after.isDeciding {
        next += outcomes(of: id, in: after)
        continue
      }
      // What no other task can notice isn't worth a choice.
      if isPrivate(id, task) { return [after] }
      next.append(after)
    }
    return next
  }

  private func steps(of state: State) -> [State] {
    if let task = state.running {
      return outcomes(of: task, in: state).map { state in
        var state = state
        goOn(in: &state)
        return state
      }
    }
    return state.ready.indices.map { index in
      var state = state
      let ready = state.ready.remove(at: index)
      (state.turn, state.hasMadeReady) = (nil, false)
      switch ready {
      case .actor(let room): runTurn(of: room, in: &state)
      case .task(let task):
        state.running = task
        if state.tasks[task].status == .entering { enter(task, in: &state) }
      }
      goOn(in: &state)
      return state
    }
  }

  /// Lets the running task go on to the end of its step, or to where a call may fail.
  private func goOn(in state: inout State) {
    while let task = state.running, !state.isDeciding {
      perform(task, in: &state)
      // The actor's job goes on with the next task.
      if state.running == nil, let room = state.turn, !state.queues[room].isEmpty,
        state.holders[room] == nil, !state.ready.contains(.actor(room))
      {
        runTurn(of: room, in: &state)
      }
    }
  }

  /// The states after a call that may fail, first the one in which it succeeds.
  private func outcomes(of id: Int, in state: State) -> [State] {
    let last = code.tasks[id].instructions[state.tasks[id].next - 1]
    guard case .mayFail(let numbers, let skipped) = last else { preconditionFailure() }
    var success = state
    success.isDeciding = false
    success.tasks[id].received = 0
    return [success]
      + numbers.map { number in
        var failure = success
        failure.tasks[id].received = number
        failure.tasks[id].next += skipped
        return failure
      }
  }

  private func runTurn(of room: Int, in state: inout State) {
    (state.turn, state.running) = (room, first(in: room, of: state))
    holdFirst(in: room, in: &state)
  }

  /// Whether no other task can notice the next instruction of one.
  private func isPrivate(_ id: Int, _ task: Task) -> Bool {
    let isAlone = task.room.map { !isShared[$0] } ?? true
    let instructions = code.tasks[id].instructions
    if task.status != .running || task.next == instructions.count { return isAlone }
    switch instructions[task.next] {
    case .log(let atom): return memory == .outcome && code.channels[atom] == nil
    case .hop(_, let to): return isAlone && to.map { !isShared[$0] } ?? true
    case .start, .again: return true
    // In a loop, it would keep the others from going on.
    case .sleep(0): return false
    case .yield, .choose, .sleep, .join, .wait: return isAlone
    case .mayFail, .check, .cancel, .open, .send, .receive, .received: return false
    }
  }
}

// MARK: - What an instruction does

extension Model {
  private func perform(_ id: Int, in state: inout State) {
    let instructions = code.tasks[id].instructions
    guard state.tasks[id].next < instructions.count else { return end(id, in: &state) }
    let instruction = instructions[state.tasks[id].next]
    state.tasks[id].next += 1
    switch instruction {
    case .log(let atom): record(Event(atom: atom), in: &state)
    case .check(let atom):
      record(Event(atom: atom, value: state.tasks[id].isCancelled ? 1 : 0), in: &state)
    case .received(let atom):
      record(Event(atom: atom, value: state.tasks[id].received), in: &state)
    case .hop(let from, let to): hop(id, from: from, to: to, in: &state)
    // `interleaved` gives choices to tasks that have the test's scope.
    case .choose where !code.tasks[id].hasScope: break
    case .mayFail:
      state.tasks[id].received = 0
      state.isDeciding = code.tasks[id].hasScope
    case .yield, .choose:
      suspend(id, .entering, in: &state)
      makeReady(id, in: &state)
    case .sleep where state.tasks[id].isCancelled: break
    // Like a yield, as long as time passes.
    case .sleep(0) where !state.isOver:
      suspend(id, .entering, in: &state)
      makeReady(id, in: &state)
    case .sleep(let duration): suspend(id, .sleeping(state.now + duration), in: &state)
    case .again: if !state.tasks[id].isCancelled { state.tasks[id].next -= 2 }
    case .start(let other): makeReady(other, by: id, in: &state)
    case .join(let others):
      if !haveEnded(others, in: state) { suspend(id, .waiting, in: &state) }
    case .cancel(let other): cancel(other, by: id, in: &state)
    case .wait(let gate):
      if !state.isOpen.contains(gate) { suspend(id, .waiting, in: &state) }
    case .open(let gate):
      state.isOpen.insert(gate)
      for other in waiting(for: .wait(gate), in: state) { makeReady(other, by: id, in: &state) }
    case .receive(let stream):
      if let first = state.elements[stream]?.first {
        state.elements[stream]?.removeFirst()
        state.tasks[id].received = first
      } else {
        state.receivers[stream, default: []].append(id)
        suspend(id, .waiting, in: &state)
      }
    case .send(let stream, let atom):
      if let other = state.receivers[stream]?.first {
        state.receivers[stream]?.removeFirst()
        state.tasks[other].received = atom
        makeReady(other, by: id, in: &state)
      } else {
        state.elements[stream, default: []].append(atom)
      }
    }
  }

  private func record(_ event: Event, in state: inout State) {
    switch memory {
    case .trace: state.trace.append(event)
    case .outcome:
      if let channel = code.channels[event.atom] {
        state.outcome[channel, default: []].append(event)
      }
    }
  }

  private func haveEnded(_ tasks: [Int], in state: State) -> Bool {
    tasks.allSatisfy { state.tasks[$0].status == .ended }
  }

  /// The tasks that wait in an instruction.
  private func waiting(for instruction: Instruction, in state: State) -> [Int] {
    state.tasks.indices.filter {
      let next = state.tasks[$0].next
      return state.tasks[$0].status == .waiting && next > 0
        && code.tasks[$0].instructions[next - 1] == instruction
    }
  }

  private func end(_ id: Int, in state: inout State) {
    suspend(id, .ended, in: &state)
    for other in state.tasks.indices where state.tasks[other].status == .waiting {
      if case .join(let tasks) = code.tasks[other].instructions[state.tasks[other].next - 1],
        tasks.contains(id), haveEnded(tasks, in: state)
      {
        makeReady(other, by: id, in: &state)
      }
    }
  }

  private func cancel(_ id: Int, by canceller: Int, in state: inout State) {
    state.tasks[id].isCancelled = true
    if case .sleeping = state.tasks[id].status { makeReady(id, by: canceller, in: &state) }
    for child in state.tasks.indices where code.tasks[child].parent == id {
      cancel(child, by: canceller, in: &state)
    }
  }
}

// MARK: - Where a task runs

extension Model {
  private func hasQueue(_ room: Int) -> Bool {
    [.actor, .shared, .global].contains(code.rooms[room])
  }

  private func hop(_ id: Int, from: Int?, to: Int?, in state: inout State) {
    state.tasks[id].room = to
    if let from, let to, hasQueue(to) {
      enter(id, in: &state)
      if state.tasks[id].status == .queued {
        letGo(of: from, in: &state)
      } else {
        leave(from, in: &state)
        if isShared[from] { pause(id, in: &state) }
      }
      return
    }
    if let from { leave(from, in: &state) }
    if grain == .instruction {
      state.tasks[id].status = to == nil ? .running : .entering
    } else if let from, isShared[from] {
      state.tasks[id].status = .entering
      pause(id, in: &state)
    } else {
      enter(id, in: &state)
    }
  }

  /// Lets others run before a task goes on.
  private func pause(_ id: Int, in state: inout State) {
    guard grain == .step else { return }
    state.ready.insert(.task(id), at: 0)
    state.running = nil
  }

  private func enter(_ id: Int, in state: inout State) {
    guard let room = state.tasks[id].room else {
      state.tasks[id].status = .running
      return
    }
    let isFree = state.holders[room] == nil && state.queues[room].isEmpty
    if isFree || !hasQueue(room) { return hold(id, in: &state) }
    state.queues[room].append(id)
    state.tasks[id].status = .queued
    state.running = nil
  }

  /// Who is next of those who wait for an actor.
  private func first(in room: Int, of state: State) -> Int? {
    state.queues[room].first { code.tasks[$0].isUrgent } ?? state.queues[room].first
  }

  private func holdFirst(in room: Int, in state: inout State) {
    guard let id = first(in: room, of: state) else { return }
    state.queues[room].removeAll { $0 == id }
    hold(id, in: &state)
  }

  private func hold(_ id: Int, in state: inout State) {
    state.tasks[id].status = .running
    state.holders[state.tasks[id].room!] = id
  }

  /// Leaves an actor, and lets the tasks that wait for it have their turn.
  private func leave(_ room: Int, in state: inout State) {
    state.holders[room] = nil
    if grain == .step, !state.queues[room].isEmpty { state.ready.append(.actor(room)) }
  }

  private func suspend(_ id: Int, _ status: Status, in state: inout State) {
    state.tasks[id].status = status
    state.running = nil
    if let room = state.tasks[id].room { letGo(of: room, in: &state) }
  }

  /// Leaves an actor in which nothing goes on in the same job.
  private func letGo(of room: Int, in state: inout State) {
    // An actor's job goes on by itself, unless it has made something ready.
    if state.turn == room, !state.hasMadeReady {
      state.holders[room] = nil
    } else {
      leave(room, in: &state)
    }
  }

  /// - Parameter other: The task that makes it ready.
  private func makeReady(_ id: Int, by other: Int? = nil, in state: inout State) {
    let room = state.tasks[id].room
    if grain == .instruction {
      state.tasks[id].status = room == nil ? .running : .entering
      return
    }
    state.hasMadeReady = true
    // Who yields on an actor waits for it only when it resumes.
    if let room, hasQueue(room), state.tasks[id].status != .entering {
      state.tasks[id].status = .queued
      state.queues[room].append(id)
      if state.holders[room] == nil, !state.ready.contains(.actor(room)) {
        state.ready.append(.actor(room))
      }
    } else {
      state.tasks[id].status = .entering
      state.ready.append(.task(id))
    }
    if let other, state.running == other, willBeNoticed(other, in: state) {
      pause(other, in: &state)
    }
  }

  /// Whether the rest of a task's step enters an actor that others visit.
  private func willBeNoticed(_ id: Int, in state: State) -> Bool {
    for instruction in code.tasks[id].instructions[state.tasks[id].next...] {
      switch instruction {
      case .hop(_, let to?) where isShared[to]: return true
      case .yield, .choose, .sleep, .join, .wait, .receive: return false
      default: continue
      }
    }
    return false
  }
}

// MARK: - All orders

extension Model {
  /// All ends of a program.
  struct Ends {
    var outcomes: Set<Outcome> = []
    /// Whether a task may wait for something that never happens.
    var mayHang = false
  }

  /// All ends of a program, or `nil` if it has more states than a limit.
  func ends(limit: Int) -> Ends? {
    var (ends, pending) = (Ends(), [start])
    var numbers = [start: 0]
    var (predecessors, ending): ([[Int]], [Int]) = ([[]], [])
    while let state = pending.popLast() {
      let (number, next) = (numbers[state]!, successors(of: state))
      if next.isEmpty {
        ending.append(number)
        ends.outcomes.insert(state.outcome)
        if state.waits { ends.mayHang = true }
      }
      for state in next {
        if let known = numbers[state] {
          predecessors[known].append(number)
        } else {
          numbers[state] = predecessors.count
          predecessors.append([number])
          pending.append(state)
        }
      }
      if predecessors.count > limit { return nil }
    }
    // While a task polls, no time passes in which another one sleeps.
    var reached = Set(ending)
    while let number = ending.popLast() {
      for earlier in predecessors[number] where reached.insert(earlier).inserted {
        ending.append(earlier)
      }
    }
    if reached.count < predecessors.count { ends.mayHang = true }
    return ends
  }

  /// Whether a program may do this, and nothing else.
  func allows(_ trace: Trace) -> Bool {
    var known: Set<State> = [start]
    var pending = [start]
    while let state = pending.popLast() {
      let next = successors(of: state)
      if next.isEmpty, state.trace == trace { return true }
      for state in next where trace.starts(with: state.trace) && known.insert(state).inserted {
        pending.append(state)
      }
    }
    return false
  }

  /// The orders of a program's steps.
  struct Orders {
    var count = 0
    /// The traces, each with the smallest number of switches that give it.
    var traces: [Trace: Int] = [:]
    var canDeadlock = false
  }

  /// All orders, or `nil` if there are more than a limit.
  func orders(limit: Int) -> Orders? {
    var orders = Orders()
    var pending = [(state: start, switches: 0)]
    var steps = 0
    while let (state, switches) = pending.popLast() {
      steps += 1
      let next = successors(of: state)
      if next.isEmpty {
        orders.count += 1
        orders.traces[state.trace] = min(orders.traces[state.trace] ?? .max, switches)
        if state.waits { orders.canDeadlock = true }
      }
      for (index, state) in next.enumerated() {
        pending.append((state, switches + (index == 0 ? 0 : 1)))
      }
      // A task that polls goes on if another waits for something that never happens.
      if orders.count + pending.count > limit || steps > 100 * limit { return nil }
    }
    return orders
  }
}
