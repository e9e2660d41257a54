import TestSupport

/// A program that two tests run at once, each of which resumes tasks of the other.
struct CrossedProgram: RandomProgram {
  let program: Program

  init(_ choices: inout Choices) { program = Program(&choices) }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let isCrossed = program.gates > 0 || program.streams > 0 || program.rooms.contains(.outside)
    // On a global actor, a thread of one test may run a task of the other.
    guard isCrossed, !program.rooms.contains(.global), !Code(program).sleeps,
      !Code(program).tasks.contains(where: \.isOutside),
      !Check.mayHang(program)
    else { return nil }
    coverage.count("two tests")
    if await Search(program).runCrossed(atMost: patience) { return nil }
    return RandomDifference(text: "\(program)\na task of one test ran in the other, or never")
  }
}
