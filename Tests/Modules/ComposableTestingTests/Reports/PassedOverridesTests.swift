import ComposableReducers
import TestSupport
import Testing

@testable import ComposableTesting

@Suite("Overrides that reach nothing")
struct PassedOverridesTests {
  struct Model {
    @Dependency(\.a) var a
    @Dependency(\.double) var double
  }

  /// The failures of an operation in a new test scope.
  private func failures(
    _ operation: nonisolated(nonsending) () async -> Void
  ) async -> [Failure] {
    await TestSupport.failures {
      await withTestDependencies { await operation() }
    }
  }

  @Test(
    "rule 41: an override around an object that was created before fails the test, at the override")
  func createdBefore() async {
    let line = #line + 3
    let failures = await failures {
      let model = Model()
      withDependencies {
        $0.a = 10
      } operation: {
        for _ in 0..<3 { #expect(model.a == 1) }
      }
    }
    expectOne(
      failures, atLine: line, containing: "The override of \\.a (AKey) reaches nothing.",
      "create the object inside the operation", "`environment.with(\\.a, …)`")
  }

  @Test("rule 41: so does one that only a default would read, and one around a task")
  func indirectly() async {
    let failures = await failures {
      let model = Model()
      await withDependencies {
        $0.a = 10
      } operation: {
        await Task { #expect(model.double == 2) }.value
      }
    }
    #expect(failures.count == 1, "\(failures)")
  }

  @Test("rule 41: so does one around a store that was created before")
  func store() async {
    struct Feature: ComposableEnvironment {
      let scope = DependencyScope.current
    }
    let reducer = Reducer<Int, Bool, Feature> { state, isFirst, feature in
      state = feature.a
      return isFirst ? .run { await $0(false) } : .none
    }
    let failures = await failures {
      let store = TestStore(initialState: 0, reducer: reducer, environment: Feature())
      await withDependencies {
        $0.a = 10
      } operation: {
        await store.send(true) { $0 = 1 }
        await store.receive(false)
      }
    }
    #expect(failures.count == 1, "\(failures)")
  }

  @Test(
    "rule 41: an override that anything reads isn't reported, nor one whose default nothing reads in it"
  )
  func read() async {
    let failures = await failures {
      let model = Model()
      withDependencies {
        $0.a = 10
      } operation: {
        #expect(model.a == 1)
        #expect(Model().a == 10)
      }
      let later = withDependencies {
        $0.a = 10
      } operation: {
        #expect(model.a == 1)
        return Model()
      }
      #expect(later.a == 10)
      let unread = withDependencies {
        $0.a = 10
      } operation: {
        Model()
      }
      #expect(model.a == 1)
      withExtendedLifetime(unread) {}
      _ = DependencyScope.current.with(\.a, 10)
      DependencyScope.current.setGlobally(\.a, 20)
      withDependencies {
        $0.a = 10
      } operation: {
        #expect(model.a == 20)
      }
    }
    #expect(failures.map(\.message) == [])
  }

  @Test("rule 41: an override of the program isn't reported")
  func program() async {
    let failures = await failures {
      let model = Model()
      withDependencies({ $0.a = 10 }, fileID: "App/Main.swift", line: 7) {
        #expect(model.a == 1)
      }
    }
    #expect(failures.map(\.message) == [])
  }

  @Test("rule 41: exactly the overrides are reported that a model expects, in random programs")
  func random() async {
    await checkRandomPrograms(
      OverridingProgram.self,
      covering: ["created", "entered", "task", "read default", "read override", "reported"])
  }
}

// MARK: - Random programs

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
    let found = failures.compactMap { $0.location?.line }.sorted()
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
            fileID: "ComposableTestingTests/Program.swift", line: line
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
