import ComposableDependencies
import TestSupport
import Testing

@Suite("Flow of a scope along tasks")
struct FlowTests {
  private static var a: Int { DependencyScope.current.a }

  @Test("rule 5: async let is in its creator's scope")
  func asyncLet() async {
    await withDependencies {
      $0.a = 10
    } operation: {
      async let value = {
        await Task.yield()
        return Self.a
      }()
      #expect(await value == 10)
    }
  }

  @Test("rule 5: children of every kind of group are in the scope that adds them")
  func groups() async {
    await withDependencies {
      $0.a = 10
    } operation: {
      let values = await withTaskGroup { group in
        group.addTask { Self.a }
        DependencyScope.root.with(\.a, 11).run {
          group.addTask {
            await Task.yield()
            return Self.a
          }
        }
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(values == [10, 11])
    }
  }

  @Test("rule 5: Task {} and Task.immediate keep the scope that creates them")
  func unstructuredTasks() async {
    let (later, immediate) = withDependencies {
      $0.a = 10
    } operation: {
      (Task { Self.a }, Task.immediate { Self.a })
    }
    #expect(await later.value == 10)
    #expect(await immediate.value == 10)
    #expect(Self.a == 1)
  }

  @Test("rule 5: nothing flows from child to parent, nor between siblings")
  func isolationOfSiblings() async {
    await withTaskGroup { group in
      for number in 10..<60 {
        group.addTask {
          await withDependencies {
            $0.a = number
          } operation: {
            for _ in 0..<5 {
              await Task.yield()
              #expect(Self.a == number)
            }
          }
          #expect(Self.a == 1)
        }
      }
    }
    #expect(Self.a == 1)
  }

  @Test("rule 5: a scope follows its task to an actor and back")
  func actorHops() async {
    await withDependencies {
      $0.a = 10
    } operation: {
      #expect(await MainActor.run { Self.a } == 10)
      #expect(await Reader().a == 10)
      #expect(Self.a == 10)
    }
  }

  private actor Reader {
    var a: Int { DependencyScope.current.a }
  }
}
