/// Tasks that have nothing to do with one another.
enum Independence: CaseIterable, Sendable {
  case group, asyncLet, task, detached, main
  case groupOnActors, taskOnActors, detachedOnActors, mixed

  /// A program of tasks, each with a number of steps.
  func program(_ counts: [Int]) -> Program {
    var atom = 0
    let rooms = [Room.main, .global] + counts.map { _ in Room.actor }
    var program = Program(rooms: rooms, root: Job(id: 0, kind: .root, steps: []))
    func steps(_ count: Int) -> [Step] {
      (0..<count).flatMap { number -> [Step] in
        atom += 1
        return number == 0 ? [.log(atom)] : [.yield, .log(atom)]
      }
    }
    let all = counts.map(steps)
    func jobs(_ kind: Job.Kind, onActors: Bool = false) -> [Job] {
      all.enumerated().map { number, steps in
        Job(id: number + 1, kind: kind, steps: onActors ? [.call(number + 2, steps)] : steps)
      }
    }
    program.root.steps =
      switch self {
      case .group: [.group(jobs(.child), [])]
      case .groupOnActors: [.group(jobs(.child, onActors: true), [])]
      case .asyncLet:
        jobs(.asyncLet).dropFirst().reduce([.yield] + all[0]) { [.asyncLet($1, $0)] }
      case .task: jobs(.task).map { .start($0) }
      case .taskOnActors: jobs(.task, onActors: true).map { .start($0) }
      case .detached: jobs(.detached).map { .start($0) }
      case .detachedOnActors: jobs(.detached, onActors: true).map { .start($0) }
      case .main: jobs(.main).map { .start($0) }
      case .mixed:
        zip(jobs(.task), [.main, .detached, .task, .global] as [Job.Kind]).map { job, kind in
          .start(Job(id: job.id, kind: kind, steps: job.steps))
        }
      }
    return program
  }
}
