/// Concurrent tasks that call actors, and wait for one another.
struct Program: Sendable {
  var rooms: [Room]
  var gates = 0
  var streams = 0
  /// Whether another library replaces a hook of the runtime first, and never puts it back.
  var isBesideLibrary = false
  /// What the test's own task does.
  var root: Job
}

/// Where code can be isolated.
enum Room: String, Sendable {
  /// A default actor.
  case actor
  /// A default actor that other tests use, too.
  case shared
  case main
  /// A global actor of the program's own.
  case global
  /// An actor with its own executor, whose jobs the test's executor doesn't see.
  case outside
  /// A store, whose effects the program's tasks start.
  case store
}

/// A task, and what it does.
struct Job: Sendable {
  enum Kind: String, Sendable {
    case root = "test"
    case child
    case asyncLet = "async let"
    case task = "Task"
    case detached
    /// Starts on its creator's thread.
    case immediate
    case main = "Task on main"
    case global = "Task on global"
    /// Starts on the actor that creates it.
    case here = "Task here"
    case effect

    /// Whether the task has the test's executor preference.
    var isStructured: Bool { self == .root || self == .child || self == .asyncLet }
  }

  /// A queue that starts a task.
  enum Queue: String, Sendable {
    /// Its creator waits for the closure that starts the task, which runs on the same thread.
    case sync
    /// The closure runs on another thread. So the task isn't one of the test's.
    case async
  }

  /// The number of the task in its program.
  var id: Int
  var kind: Kind
  var isUrgent = false
  /// Whether its creator holds a lock, which the task takes first.
  var takesLock = false
  /// Whether a handler starts another task when this one is cancelled.
  var handlesCancellation = false
  /// Whether a closure on a queue starts it.
  var queue: Queue?
  var steps: [Step]
}

indirect enum Step: Sendable {
  /// Records an atom.
  case log(Int)
  /// Records an atom, and whether the task is cancelled.
  case check(Int)
  /// Calls a method of an actor.
  case call(Int, [Step])
  case yield
  case sleep(Int)
  /// Sleeps for a number of seconds at a time until the task is cancelled, whatever `sleep` throws.
  case poll(Int)
  /// Records an atom in a closure that others may overtake before and after it.
  case interleaved(Int)
  /// The same in a closure that may throw one of some errors, before or after it records the atom.
  /// Records another atom, and which error the call threw.
  case failing(Int, Int, errors: Int)
  case start(Job)
  case join(Int)
  case cancel(Int)
  /// Runs children while it does something itself, and waits for them.
  case group([Job], [Step])
  case asyncLet(Job, [Step])
  /// Sends an action that starts effects, each of which sends one that records an atom.
  case effects([Job], [Int])
  /// Resumes the continuation that waits at a gate, or will.
  case open(Int)
  case wait(Int)
  /// Sends an atom to a stream.
  case send(Int, Int)
  /// Records an atom, and the one that it receives.
  case receive(Int, Int)
}

/// What happened: an atom, and a value that it read.
struct Event: Hashable, Sendable, CustomStringConvertible {
  var atom: Int
  var value = 0

  var description: String { value == 0 ? "\(atom)" : "\(atom)=\(value)" }
}

typealias Trace = [Event]
typealias Outcome = [Code.Channel: [Event]]

// MARK: - Text

extension Program: CustomStringConvertible {
  var description: String {
    "  rooms: \(rooms.map(\.rawValue).joined(separator: ", "))\n"
      + (isBesideLibrary ? "  beside another library\n" : "") + root.text(indent: "  ")
  }
}

extension Job {
  fileprivate func text(indent: String) -> String {
    let title =
      "\(kind.rawValue) \(id)\(isUrgent ? " (high)" : "")\(takesLock ? " with a lock" : "")"
      + "\(handlesCancellation ? " with a handler" : "")"
      + "\(queue.map { " from queue.\($0)" } ?? "")"
    return Step.text(title, [], steps, indent: indent)
  }
}

extension Step {
  fileprivate static func text(
    _ title: String, _ jobs: [Job], _ steps: [Step], indent: String
  ) -> String {
    let lines =
      jobs.map { $0.text(indent: indent + "  ") } + steps.map { $0.text(indent: indent + "  ") }
    return "\(indent)\(title) {\n\(lines.joined(separator: "\n"))\n\(indent)}"
  }

  private func text(indent: String) -> String {
    switch self {
    case .call(let room, let steps): Self.text("call \(room)", [], steps, indent: indent)
    case .start(let job): job.text(indent: indent)
    case .group(let jobs, let steps): Self.text("group", jobs, steps, indent: indent)
    case .effects(let jobs, _): Self.text("effects", jobs, [], indent: indent)
    case .asyncLet(let job, let steps): Self.text("with", [job], steps, indent: indent)
    default: "\(indent)\(self)"
    }
  }
}
