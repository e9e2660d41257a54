internal import Foundation
internal import Synchronization
internal import Testing

/// A random program, which the library must run as the rules say.
package protocol RandomProgram: Sendable {
  init(_ choices: inout Choices)

  /// Runs the program, and returns what differs from the rules.
  ///
  /// - Parameter patience: How long to wait for something that should happen.
  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference?
}

/// Draws random programs.
package protocol ProgramGenerator {
  associatedtype Program

  var random: Choices { get }

  init(_ choices: Choices)

  mutating func draw() -> Program
}

extension ProgramGenerator {
  package static func program(_ choices: inout Choices) -> Program {
    var generator = Self(choices)
    defer { choices = generator.random }
    return generator.draw()
  }
}

/// Where a random program differs from the rules.
package struct RandomDifference: Sendable {
  /// A smaller program must differ in the same way.
  package var kind = ""
  /// The program, and the difference.
  package var text: String

  package init(kind: String = "", text: String) {
    self.kind = kind
    self.text = text
  }
}

/// How often each kind of thing happened.
package struct Coverage: Sendable {
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func count(_ name: String) {
    counts[name, default: 0] += 1
  }

  package mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  package subscript(name: String) -> Int { counts[name] ?? 0 }

  fileprivate var table: String {
    let width = counts.keys.map(\.count).max() ?? 0
    return counts.sorted { $0.key < $1.key }.map { name, count in
      name + String(repeating: " ", count: width - name.count + 2) + "\(count)"
    }.joined(separator: "\n")
  }
}

/// Runs random programs, and records an issue for one that fails, in its smallest form.
///
/// `SEED` in the environment says where to begin, so that a failure can be repeated; `PROGRAMS`, or
/// another variable, says how many to run, and prints how often each kind of thing happened.
///
/// - Parameters:
///   - variable: The environment variable that says how many to run.
///   - workers: How many run at the same time.
///   - isIncluded: Whether to run the program of a seed.
///   - all: What must happen at least once in about 1,000 programs.
/// - Returns: How often each kind of thing happened, how many programs ran, and whether one failed.
@discardableResult
package func checkRandomPrograms<Program: RandomProgram>(
  _ type: Program.Type, counting variable: String = "PROGRAMS", workers: Int = 1,
  where isIncluded: (UInt64) -> Bool = { _ in true },
  covering all: [String]
) async -> (coverage: Coverage, programs: Int, hasFailed: Bool) {
  let environment = ProcessInfo.processInfo.environment
  let seed = environment["SEED"].flatMap { UInt64($0) }
  let count = environment[variable].flatMap { UInt64($0) } ?? (seed == nil ? 1_000 : 1)
  // Long runs look for faults, some of which make a program hang.
  let patience = Duration.seconds(environment[variable] == nil ? 600 : 20)
  let first = seed ?? 1
  let seeds = (first..<first + count).filter(isIncluded)
  let failed = Shared<UInt64?>(nil)
  let coverage = await withTaskGroup { group in
    for worker in 0..<workers {
      group.addTask {
        var coverage = Coverage()
        for index in stride(from: worker, to: seeds.count, by: workers) {
          if failed.value != nil { break }
          var choices = Choices(seed: seeds[index])
          let program = Program(&choices)
          if await program.difference(patience: patience, &coverage) != nil {
            failed.update { $0 = $0 ?? seeds[index] }
          }
        }
        return coverage
      }
    }
    return await group.reduce(into: Coverage()) { $0.add($1) }
  }
  if let seed = failed.value {
    let difference = await smallestDifference(of: Program.self, seed: seed)
    Issue.record(
      """
      SEED=\(seed) repeats it. The smallest program that fails:
      \(difference?.text ?? "It failed only once.")
      """)
  } else if seeds.count >= 400 {
    #expect(all.filter { coverage[$0] == 0 } == [], "what never happened")
  }
  if environment[variable] != nil { print("\(seeds.count) programs\n\(coverage.table)") }
  return (coverage, seeds.count, failed.value != nil)
}

/// Shrinks the program of a seed as long as it fails in the same way.
private func smallestDifference<Program: RandomProgram>(
  of type: Program.Type, seed: UInt64
) async -> RandomDifference? {
  let end = ContinuousClock.now + .seconds(120)
  func difference(of program: Program, attempts: Int) async -> RandomDifference? {
    for _ in 0..<attempts where .now < end {
      var coverage = Coverage()
      if let difference = await program.difference(patience: .milliseconds(500), &coverage) {
        return difference
      }
    }
    return nil
  }
  var choices = Choices(seed: seed)
  let program = Program(&choices)
  guard var smallest = await difference(of: program, attempts: 1_000) else { return nil }
  // Gives an intermittent failure, which depends on the order of tasks, several chances to occur.
  var attempts = 1
  for _ in 0..<5 where await difference(of: program, attempts: 1) == nil { attempts = 30 }
  var numbers = choices.drawn
  var reductions = numbers.reductions
  var (position, failures) = (0, 0)
  while failures < reductions.count, .now < end {
    let fewer = numbers.reduced(by: reductions[position % reductions.count])
    var choices = Choices(seed: seed, drawing: fewer)
    let candidate = Program(&choices)
    if choices.drawn.isSmaller(than: numbers),
      let difference = await difference(of: candidate, attempts: attempts),
      difference.kind == smallest.kind
    {
      smallest = difference
      numbers = choices.drawn
      reductions = numbers.reductions
      failures = 0
    } else {
      position += 1
      failures += 1
    }
  }
  return smallest
}
