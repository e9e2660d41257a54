/// What a task does at once.
enum Instruction: Hashable, Sendable {
  case log(Int)
  case check(Int)
  /// Leaves an actor, enters one, or both.
  case hop(from: Int?, to: Int?)
  case yield
  /// A choice of `interleaved`.
  case choose
  /// Goes on, or notes one of some numbers and skips instructions.
  case mayFail([Int], skipping: Int)
  case sleep(Int)
  /// Repeats the instruction before, unless the task is cancelled.
  case again
  case start(Int)
  /// Waits until tasks have ended.
  case join([Int])
  case cancel(Int)
  case open(Int)
  case wait(Int)
  case send(Int, Int)
  case receive(Int)
  /// Records an atom, and the one that the task has received.
  case received(Int)
}

/// The tasks of a program by their numbers, each with its code.
struct Code: Sendable {
  struct Task: Sendable {
    var kind = Job.Kind.root
    var isUrgent = false
    /// Whether the task, or its creator, can't be overtaken where it holds a lock.
    var hasLock = false
    /// Whether it runs outside the test, because a queue started it.
    var isOutside = false
    /// The task that cancels this one when it is cancelled.
    var parent: Int?
    /// Whether it has the test's scope, without which `interleaved` does nothing.
    var hasScope = true
    /// Where it starts.
    var room: Int?
    var instructions: [Instruction] = []
    /// The actors that it visits.
    var rooms: Set<Int> = []
  }

  /// Where the order of events can be noticed without a lock.
  enum Channel: Hashable {
    case room(Int)
    case stream(Int)
    case task(Int)
  }

  let rooms: [Room]
  private(set) var tasks: [Task] = []
  /// The channels of atoms.
  private(set) var channels: [Int: Channel] = [:]

  init(_ program: Program) {
    rooms = program.rooms
    add(program.root, parent: nil, room: nil)
    for (atom, channel) in channels {
      if case .room(let room) = channel, !isShared(room) { channels[atom] = nil }
    }
  }

  /// All atoms, which happen once each.
  var atoms: [Int] {
    tasks.flatMap(\.instructions).compactMap {
      switch $0 {
      case .log(let atom), .check(let atom), .received(let atom): atom
      default: nil
      }
    }.sorted()
  }

  /// What others can notice of a trace: the order on each channel.
  func outcome(of trace: Trace) -> Outcome {
    trace.reduce(into: [:]) { outcome, event in
      if let channel = channels[event.atom] { outcome[channel, default: []].append(event) }
    }
  }

  /// Whether a task may notice what another one does on an actor.
  func isShared(_ room: Int) -> Bool { tasks.count { $0.rooms.contains(room) } > 1 }

  /// Whether some of it happens where the test doesn't see it.
  var leaves: Bool {
    tasks.contains { $0.isOutside || $0.rooms.contains { rooms[$0] == .outside } }
  }

  /// Whether the test waits for something that happens in a kind of room.
  func waits(for room: Room) -> Bool {
    func isAwaited(_ task: Int) -> Bool { task == 0 || tasks[task].parent.map(isAwaited) ?? false }
    return tasks.indices.contains { task in
      isAwaited(task) && tasks[task].rooms.contains { rooms[$0] == room }
    }
  }

  /// Whether a task sleeps, in a test that isn't explored in real time.
  var sleeps: Bool {
    tasks.contains { $0.instructions.contains { if case .sleep = $0 { true } else { false } } }
  }

  private mutating func add(_ job: Job, parent: Int?, room: Int?) {
    while tasks.count <= job.id { tasks.append(Task()) }
    tasks[job.id].kind = job.kind
    tasks[job.id].isUrgent = job.isUrgent
    tasks[job.id].hasLock = job.takesLock || job.handlesCancellation
    tasks[job.id].isOutside = job.queue == .async || parent.map { tasks[$0].isOutside } ?? false
    tasks[job.id].hasScope =
      job.kind != .detached && job.queue != .async && parent.map { tasks[$0].hasScope } ?? true
    tasks[job.id].parent = job.kind.isStructured ? parent : nil
    let start: Int? =
      switch job.kind {
      case .main: rooms.firstIndex(of: .main)
      case .global: rooms.firstIndex(of: .global)
      case .here: room
      default: nil
      }
    tasks[job.id].room = start
    if let start { tasks[job.id].rooms.insert(start) }
    add(job.steps, to: job.id, in: start)
  }

  private mutating func add(_ steps: [Step], to task: Int, in room: Int?) {
    for step in steps { add(step, to: task, in: room) }
  }

  private mutating func add(_ step: Step, to task: Int, in room: Int?) {
    func emit(_ instructions: Instruction...) { tasks[task].instructions += instructions }
    switch step {
    case .log(let atom):
      emit(.log(atom))
      if let room { channels[atom] = .room(room) }
    case .check(let atom):
      emit(.check(atom))
      channels[atom] = .task(task)
    case .call(let other, let steps):
      // A call of the actor that it is on changes nothing.
      if other != room { emit(.hop(from: room, to: other)) }
      tasks[task].rooms.insert(other)
      add(steps, to: task, in: other)
      if other != room { emit(.hop(from: other, to: room)) }
    case .yield: emit(.yield)
    case .interleaved(let atom): emit(.choose, .log(atom), .choose)
    case .failing(let atom, let result, let errors):
      let numbers = 0..<errors
      emit(
        .choose, .mayFail(numbers.map { 2 * $0 + 1 }, skipping: 3), .log(atom),
        .mayFail(numbers.map { 2 * $0 + 2 }, skipping: 0), .choose, .received(result))
      channels[atom] = .task(task)
      channels[result] = .task(task)
    case .sleep(let duration):
      // The standard library's `sleep(for:)` isn't isolated to the caller's actor.
      if let room { emit(.hop(from: room, to: nil)) }
      emit(.sleep(duration))
      if let room { emit(.hop(from: nil, to: room)) }
    case .poll(let duration): emit(.sleep(duration), .again)
    case .start(let job):
      emit(.start(job.id))
      add(job, parent: task, room: room)
    case .join(let other): emit(.join([other]))
    case .cancel(let other): emit(.cancel(other))
    case .group(let jobs, let steps):
      for job in jobs {
        emit(.start(job.id))
        add(job, parent: task, room: room)
      }
      add(steps, to: task, in: room)
      emit(.join(jobs.map(\.id)))
    case .asyncLet(let job, let steps):
      emit(.start(job.id))
      add(job, parent: task, room: room)
      add(steps, to: task, in: room)
      emit(.join([job.id]))
    case .effects(let jobs, let atoms):
      let store = rooms.firstIndex(of: .store)!
      for (job, atom) in zip(jobs, atoms) {
        emit(.start(job.id))
        add(job, parent: task, room: nil)
        add(.call(store, [.log(atom)]), to: job.id, in: nil)
      }
      emit(.join(jobs.map(\.id)))
    case .open(let gate): emit(.open(gate))
    case .wait(let gate): emit(.wait(gate))
    case .send(let stream, let atom): emit(.send(stream, atom))
    case .receive(let stream, let atom):
      // Nor is the stream's function that waits.
      if let room { emit(.hop(from: room, to: nil)) }
      emit(.receive(stream))
      if let room { emit(.hop(from: nil, to: room)) }
      emit(.received(atom))
      channels[atom] = .stream(stream)
    }
  }
}
