import TestSupport

/// Draws programs, most of them small enough for all of their orders to run.
struct Generator: ProgramGenerator {
  private(set) var random: Choices
  private var program: Program
  private var tasks = 0
  private var atoms = 0
  /// The number of steps that may still be drawn.
  private var budget: Int
  /// The gates that something waits at, and the streams that something receives from, and nothing opens
  /// or sends to yet.
  private var unopened: [Int] = []
  private var unsent: [Int] = []
  /// Whether nothing has been drawn that loses events when it is cancelled: a stream, or an effect.
  private var mayCancel = true
  /// Whether all tasks so far are awaited, so that they may sleep: time ends with the test.
  private var maySleep = true

  init(_ choices: Choices) {
    random = choices
    budget = 3 + random.number(below: 7)
    var rooms = [Room.actor]
    for room in [Room.actor, .main, .global] where random.chance(40) { rooms.append(room) }
    if random.chance(10) { rooms.append(.store) }
    if random.chance(3) { rooms.append(.outside) }
    program = Program(rooms: rooms, root: Job(id: 0, kind: .root, steps: []))
  }

  /// Draws a program that runs beside another one.
  ///
  /// - Parameter room: Where both are, each in an `async let`.
  static func neighbor(in room: Room, _ choices: inout Choices) -> Program {
    var generator = Self(choices)
    generator.program.rooms[0] = room
    generator.program.rooms.removeAll { $0 == .outside || $0 == .store }
    defer { choices = generator.random }
    return generator.draw { generator in
      var job = generator.job(.asyncLet, depth: 0)
      job.steps.insert(.call(0, [.log(generator.nextAtom())]), at: 0)
      let call = Step.call(0, [.log(generator.nextAtom())])
      return [.asyncLet(job, [call] + generator.steps(atMost: 3, depth: 0))]
    }
  }

  mutating func draw() -> Program {
    var program = draw { $0.concurrentSteps(depth: 0) }
    program.isBesideLibrary = random.chance(10)
    return program
  }

  private mutating func draw(_ concurrent: (inout Self) -> [Step]) -> Program {
    tasks = 1
    var steps = random.chance(20) ? self.steps(atMost: 1, depth: 0) : []
    steps += concurrent(&self)
    // Whatever is waited for happens.
    for gate in unopened { steps.insert(.open(gate), at: 0) }
    for stream in unsent { steps.insert(.send(stream, nextAtom()), at: 0) }
    program.root.steps = steps
    return program
  }

  private mutating func nextAtom() -> Int {
    atoms += 1
    return atoms
  }

  private mutating func job(_ kind: Job.Kind, room: Int? = nil, depth: Int) -> Job {
    tasks += 1
    let id = tasks - 1
    let isUrgent = random.chance(10)
    let here: Int? =
      switch kind {
      case .main: program.rooms.firstIndex(of: .main)
      case .global: program.rooms.firstIndex(of: .global)
      case .here: room
      default: nil
      }
    var steps: [Step] = []
    while random.another(after: steps.count, of: 1...4) {
      budget -= 1
      steps.append(step(room: here, depth: depth + 1))
      if budget <= 0 { break }
    }
    return Job(id: id, kind: kind, isUrgent: isUrgent, steps: steps)
  }

  /// Tasks that run at the same time, outside of actors.
  private mutating func concurrentSteps(depth: Int) -> [Step] {
    switch random.number(below: 3) {
    case _ where program.rooms.contains(.store) && random.chance(50):
      var jobs: [Job] = []
      while random.another(after: jobs.count, of: 1...3) { jobs.append(job(.effect, depth: depth)) }
      mayCancel = false
      return [.effects(jobs, jobs.map { _ in nextAtom() })]
    case 0:
      var jobs: [Job] = []
      while random.another(after: jobs.count, of: 1...3) {
        jobs.append(job(.child, depth: depth))
      }
      return [.group(jobs, steps(atMost: 2, depth: depth))]
    case 1:
      return [.asyncLet(job(.asyncLet, depth: depth), steps(atMost: 3, depth: depth))]
    default:
      var started: [Job] = []
      let isAwaited = random.chance(60)
      let before = maySleep
      maySleep = maySleep && isAwaited
      defer { maySleep = before }
      while random.another(after: started.count, of: 1...3) {
        let queue = random.chance(10) ? random.pick([Job.Queue.sync, .async]) : nil
        if queue == .async {
          started.append(jobOfQueue(depth: depth))
          continue
        }
        var job = job(unstructuredKind(room: nil), depth: depth)
        job.queue = queue
        job.takesLock = job.kind != .immediate && queue == nil && random.chance(8)
        job.handlesCancellation = mayCancel && random.chance(8)
        started.append(job)
      }
      var steps = started.map { Step.start($0) } + self.steps(atMost: 2, depth: depth)
      for job in started where mayCancel && (job.handlesCancellation || random.chance(15)) {
        if job.queue != .async { steps.append(.cancel(job.id)) }
      }
      if random.chance(5) {
        let poll = Step.poll(random.chance(10) ? 0 : 1)
        steps.append(.start(Job(id: tasks, kind: random.pick([.task, .detached]), steps: [poll])))
        tasks += 1
      }
      return isAwaited ? steps + started.map { .join($0.id) } : steps
    }
  }

  /// A task that a closure on a queue starts later, outside the test.
  private mutating func jobOfQueue(depth: Int) -> Job {
    let before = maySleep
    maySleep = false
    defer { maySleep = before }
    var job = job(.task, depth: depth)
    job.queue = .async
    return job
  }

  private mutating func unstructuredKind(room: Int?) -> Job.Kind {
    var kinds: [Job.Kind] = [.task, .task, .detached]
    if room == nil { kinds.append(.immediate) }
    if program.rooms.contains(.main) { kinds.append(.main) }
    if program.rooms.contains(.global) { kinds.append(.global) }
    if let room, program.rooms[room] != .outside { kinds += [.here, .here] }
    return random.pick(kinds)
  }

  private mutating func steps(atMost count: Int, depth: Int) -> [Step] {
    var steps: [Step] = []
    while budget > 0, random.another(after: steps.count, of: 0...count) {
      budget -= 1
      steps.append(step(room: nil, depth: depth + 1))
    }
    return steps
  }

  private mutating func step(room: Int?, depth: Int) -> Step {
    switch random.number(below: 100) {
    case ..<5: return .log(nextAtom())
    case ..<50:
      // Mostly the first, which is thereby shared.
      let others = program.rooms.indices.filter { program.rooms[$0] != .store }
      let other = random.chance(50) ? random.pick(others) : 0
      if depth > 3 { return .log(nextAtom()) }
      var steps: [Step] = [.log(nextAtom())]
      if budget > 0, random.chance(40) {
        budget -= 1
        steps.append(step(room: other, depth: depth + 1))
        if random.chance(50) { steps.append(.log(nextAtom())) }
      }
      return .call(other, steps)
    case ..<65: return .yield
    case ..<68: return .check(nextAtom())
    case ..<71: return maySleep ? .sleep(random.number(below: 3)) : .yield
    case ..<74: return room == nil ? .interleaved(nextAtom()) : .yield
    case ..<77:
      return room == nil
        ? .failing(nextAtom(), nextAtom(), errors: 1 + random.number(below: 2)) : .yield
    case ..<82:
      if let gate = unopened.popLast() { return .open(gate) }
      unopened.append(program.gates)
      program.gates += 1
      return .wait(program.gates - 1)
    case ..<88:
      if program.streams == 0 { program.streams = 1 }
      if !unsent.isEmpty, random.chance(70) { return .send(unsent.removeLast(), nextAtom()) }
      unsent.append(0)
      mayCancel = false
      return .receive(0, nextAtom())
    default:
      guard depth < 3, tasks < 5, budget > 0 else { return .yield }
      budget -= 1
      if let room {
        let before = maySleep
        maySleep = false
        defer { maySleep = before }
        return .start(job(unstructuredKind(room: room), room: room, depth: depth))
      }
      let steps = concurrentSteps(depth: depth)
      if steps.count == 1 { return steps[0] }
      tasks += 1
      return .asyncLet(Job(id: tasks - 1, kind: .asyncLet, steps: steps), [])
    }
  }
}
