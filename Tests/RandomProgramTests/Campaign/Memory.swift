import ComposableDependencies
import TestSupport

extension Program {
  /// Whether it runs on the thread on which it starts, where its allocations can be counted.
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

  /// The blocks of memory that are left when the program has run again.
  func remainingBlocks() -> Int {
    let runner = Runner()
    func run() {
      _ = DependencyScope.isolated().run { runner.runCall(steps, RunState()) }
    }
    // What is made once in a process is made now.
    run()
    return Allocations { run() }.remaining
  }
}
