/// The places in a run at which its running task goes on, unless the schedule lets others overtake it.
///
/// A step of a schedule begins where a task starts or resumes. It also begins at a *boundary*: where a
/// task leaves an actor, and where a job has made another task ready. Others notice a boundary only if
/// the task leaves an actor that others visit too, or goes on to one. Whether they do isn't known before
/// the end of the run, so a boundary is a choice, and this tells afterwards which of them mattered.
struct Boundaries {
  private struct Actor {
    /// The actor, if it was known to live; another one may replace it at its address.
    weak var object: AnyObject?
    let isObject: Bool
    let task: UInt64
    var isShared = false
  }

  private struct Boundary {
    /// The index of the choice.
    let choice: Int
    /// The actor that the task leaves.
    let left: Int?
    /// The actor on which the task still is.
    var current: Int?
    /// The actors that it visits then, in the same step.
    var visited: [Int] = []
    /// Whether it may have visited others unseen.
    var isCertain = false
  }

  private var actors: [Actor] = []
  /// The newest actor at each address.
  private var indices: [UInt: Int] = [:]
  private var boundaries: [Boundary] = []
  /// The boundary before which a task has yielded on the actor that it left there.
  private var yields: [UInt64: Int] = [:]

  /// Records that a task visits an actor.
  ///
  /// - Parameters:
  ///   - address: The address of the actor, or a small number for one that isn't an object.
  ///   - task: The task; 0 if it isn't known.
  ///   - job: Whether a job of the actor is ready, which retains it.
  /// - Returns: The index of the actor.
  mutating func visit(_ address: UInt, by task: UInt64, job: Bool = false) -> Int {
    if let index = indices[address],
      !actors[index].isObject || actors[index].object != nil
        || (!job && task == actors[index].task)
    {
      if task == 0 || task != actors[index].task { actors[index].isShared = true }
      return index
    }
    let isObject = job && address > 0xFF
    // Sound: the job retains the actor.
    let object = isObject ? unsafe unsafeBitCast(address, to: AnyObject.self) : nil
    actors.append(Actor(object: object, isObject: isObject, task: task))
    indices[address] = actors.count - 1
    return actors.count - 1
  }

  /// Whether no other task than one is known to have visited an actor.
  func isOwn(_ actor: Int, of task: UInt64) -> Bool {
    !actors[actor].isShared && actors[actor].task == task
  }

  /// Adds a boundary.
  ///
  /// - Parameters:
  ///   - choice: The index of its choice.
  ///   - actor: The actor on which the task is, or which it leaves.
  /// - Returns: Its index.
  mutating func add(choice: Int, on actor: Int?, leaves: Bool) -> Int {
    boundaries.append(
      Boundary(choice: choice, left: leaves ? actor : nil, current: actor))
    return boundaries.count - 1
  }

  /// Records that the task of some boundaries went on to an actor, or has been there.
  mutating func visit(_ actor: Int, after open: [Int]) {
    for index in open {
      if boundaries[index].current == actor {
        boundaries[index].current = nil
      } else {
        boundaries[index].visited.append(actor)
      }
    }
  }

  /// Records that the task of some boundaries may have gone on to an actor unseen.
  mutating func confirm(_ boundary: Int) { boundaries[boundary].isCertain = true }

  /// Keeps the last boundary of a step that ends with a yield, if the task has left its actor there.
  mutating func yield(_ task: UInt64, after open: inout [Int]) {
    guard let last = open.last, leaves(last) else { return }
    open.removeLast()
    yields[task] = last
  }

  /// Notices where a task is after a yield: on its actor again, as if it had never left it, or not.
  mutating func endYield(of task: UInt64, on actor: Int? = nil) {
    guard !yields.isEmpty, let left = yields.removeValue(forKey: task) else { return }
    if boundaries[left].left != actor { confirm(left) }
  }

  /// Whether a task leaves an actor at a boundary.
  func leaves(_ boundary: Int) -> Bool { boundaries[boundary].left != nil }

  /// The choices at boundaries that nobody noticed.
  var unnoticed: [Int] { boundaries.filter { !isNoticed($0) }.map(\.choice) }

  private func isNoticed(_ boundary: Boundary) -> Bool {
    if let left = boundary.left { return boundary.isCertain && isShared(left) }
    return boundary.isCertain || boundary.visited.contains(where: isShared)
  }

  private func isShared(_ actor: Int) -> Bool { actors[actor].isShared }
}
