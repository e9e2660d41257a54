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
}
