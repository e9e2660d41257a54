import ComposableDependencies
import TestSupport

extension Program {
  /// Whether it stays on the thread on which it starts, where its allocations can be counted.
  var staysOnItsThread: Bool {
    var stays = true
    forEachStep { step in
      switch step.operation {
      case .task, .immediateTask, .detachedTask, .detachedTaskIn, .immediateDetachedTaskIn:
        stays = false
      default:
        stays = stays && !step.operation.isAsync
      }
    }
    return stays
  }

  /// The number of blocks that stay allocated when the program runs again.
  func remainingBlocks() -> Int {
    let runner = Runner()
    func run() {
      _ = DependencyScope.isolated().run { runner.runCall(steps, RunState()) }
      Dependencies.forgetKeyPathsThatAreGone()
    }
    // What is made once in a process is made now, and so is room for it.
    run()
    run()
    return Allocations { run() }.remaining
  }
}
