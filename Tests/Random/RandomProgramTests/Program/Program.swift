/// A program over numbered keys and variables.
struct Program: Sendable {
  let seed: UInt64
  /// Whether it starts over the process's global store rather than its own.
  let usesProcessStore: Bool
  var steps: [Step]

  /// Whether its stores record, apart from the process's.
  var isRecorded: Bool { !usesProcessStore && seed.isMultiple(of: 2) }

  /// Whether no step suspends in a synchronous block.
  var isWellFormed: Bool { Self.isWellFormed(steps, canSuspend: true) }

  private static func isWellFormed(_ steps: [Step], canSuspend: Bool) -> Bool {
    steps.allSatisfy { step in
      (canSuspend || !step.operation.isAsync)
        && step.blocks.allSatisfy {
          isWellFormed($0, canSuspend: step.operation.hasAsyncBlocks)
        }
    }
  }

  func forEachStep(_ body: (Step) -> Void) {
    func visit(_ steps: [Step]) {
      for step in steps {
        body(step)
        step.blocks.forEach(visit)
      }
    }
    visit(steps)
  }

  var stepCount: Int {
    var count = 0
    forEachStep { _ in count += 1 }
    return count
  }
}
