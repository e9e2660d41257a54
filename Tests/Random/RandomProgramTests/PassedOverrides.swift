import ComposableTesting
import TestSupport
import Testing

@Suite("Random programs of overrides that reach nothing", .tooLongUnderSanitizers)
struct RandomOverrideTests {
  @Test("rule 41: exactly the overrides are reported that a model expects, in random programs")
  func random() async {
    await checkRandomPrograms(
      OverridingProgram.self,
      covering: ["created", "entered", "task", "read default", "read override", "reported"])
  }
}

/// A program that creates objects, overrides dependencies around their use, and reads through them.
private struct OverridingProgram: RandomProgram {
  private indirect enum Step {
    case create
    /// Reads through an object, or in the current scope.
    case read(object: Int?, key: Int)
    /// Enters the scope that an object captured.
    case enter(object: Int, [Step])
    case override(key: Int, line: UInt, [Step])
    case task([Step])
  }

  private let steps: [Step]

  init(_ choices: inout Choices) {
    var line: UInt = 0
    steps = Self.steps(&choices, depth: 0, &line)
  }

  private static func steps(_ choices: inout Choices, depth: Int, _ line: inout UInt) -> [Step] {
    var steps: [Step] = []
    while choices.another(after: steps.count, of: 0...4) {
      switch choices.number(below: depth < 4 ? 7 : 3) {
      case 0, 1:
        let object = choices.number(below: 4)
        steps.append(.read(object: object == 0 ? nil : object - 1, key: choices.number(below: 2)))
      case 2: steps.append(.create)
      case 3:
        let object = choices.number(below: 3)
        // Not deep, because the library knows only the latest eight overrides of a scope.
        steps.append(.enter(object: object, Self.steps(&choices, depth: depth + 3, &line)))
      case 4: steps.append(.task(Self.steps(&choices, depth: depth + 1, &line)))
      default:
        line += 1
        let (key, own) = (choices.number(below: 2), line)
        steps.append(
          .override(key: key, line: own, Self.steps(&choices, depth: depth + 1, &line)))
      }
    }
    return steps
  }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    var model = Model()
    model.run(steps, in: [], inside: [])
    for event in model.events { coverage.count(event) }
    let expected = model.passed.subtracting(model.read).sorted()
    if !expected.isEmpty { coverage.count("reported") }
    let runner = Runner()
    let failures = await failures {
      await withTestDependencies { await runner.run(steps) }
    }
    // The first test of a process may get a warning of what its runtime does not show.
    let found = failures.filter { !$0.isWarning }.compactMap { $0.location?.line }.sorted()
    guard found != expected.map({ Int($0) }) else { return nil }
    return RandomDifference(text: "\(steps)\nexpected: \(expected), reported: \(found)")
  }

  /// Says what must be reported, without the library.
  private struct Model {
    /// The overrides that a scope has, the newest first.
    typealias Scope = [(key: Int, line: UInt)]
    var objects: [Scope] = []
    var read: Set<UInt> = []
    var passed: Set<UInt> = []
    var events: [String] = []

    /// - Parameter entered: The scopes around the current one, the innermost first.
    mutating func run(_ steps: [Step], in scope: Scope, inside entered: [Scope]) {
      for step in steps {
        switch step {
        case .create:
          objects.append(scope)
          events.append("created")
        case .read(let object, let key):
          let captured = object.map { objects.indices ~= $0 ? objects[$0] : scope } ?? scope
          if let override = captured.first(where: { $0.key == key }) {
            read.insert(override.line)
            events.append("read override")
          } else {
            let around = ([scope] + entered).joined().first { $0.key == key }
            if let around { passed.insert(around.line) }
            events.append("read default")
          }
        case .enter(let object, let steps):
          let captured = objects.indices ~= object ? objects[object] : scope
          events.append("entered")
          run(steps, in: captured, inside: [scope] + entered)
        case .override(let key, let line, let steps):
          run(steps, in: [(key, line)] + scope, inside: [scope] + entered)
        case .task(let steps):
          events.append("task")
          run(steps, in: scope, inside: entered)
        }
      }
    }
  }

  private final class Runner: Sendable {
    private struct Object: Sendable {
      let scope = DependencyScope.current
      @Dependency(\.a) var a
      @Dependency(\.b) var b
    }

    private let objects = Shared<[Object]>([])

    func run(_ steps: [Step]) async {
      for step in steps {
        switch step {
        case .create: objects.update { $0.append(Object()) }
        case .read(let object, let key):
          let object = object.flatMap(existing) ?? Object()
          _ = key == 0 ? object.a : object.b
        case .enter(let object, let steps):
          await (existing(object)?.scope ?? .current).run { await run(steps) }
        case .override(let key, let line, let steps):
          await withDependencies(
            { if key == 0 { $0.a = 7 } else { $0.b = 7 } },
            fileID: "RandomProgramTests/OverridingProgram.swift", line: line
          ) { await run(steps) }
        case .task(let steps): await Task { await self.run(steps) }.value
        }
      }
    }

    private func existing(_ object: Int) -> Object? {
      let objects = objects.value
      return objects.indices ~= object ? objects[object] : nil
    }
  }
}
