import ComposableReducers
import TestSupport
import Testing

@Suite("Effect")
struct EffectTests {
  @Test("two effects are merged or concatenated; two reducers are combined")
  func pairs() async {
    let store = recordingStore { number in
      let a = Effect.send(RecordingAction.record("a"))
      let b = Effect.send(RecordingAction.record("b"))
      return number == 0 ? .merge(a, b) : .concatenate(b, a)
    }
    await store.send(.start(0)).finish()
    await store.send(.start(1)).finish()
    #expect(await store.state == ["a", "b", "b", "a"])
    let add = Reducer<Int, Int, Void> { state, number, _ in
      state += number
      return .none
    }
    var sum = 0
    _ = Reducer.combine(add, add)(&sum, 2, ())
    #expect(sum == 4)
  }

  @Test("rule 25: a part starts when the one before it has ended and its actions are reduced")
  func concatenate() async {
    let goOn = Gate()
    let store = recordingStore { _ in
      .merge(
        .concatenate(
          .send(.record("a")),
          .merge(
            .run { send in
              await goOn.wait()
              await send(.record("b"))
            }, .run { _ in }),
          .send(.record("c"))),
        .send(.record("x")))
    }
    let task = await store.send(.start(0))
    #expect(await store.state == ["a", "x"], "what needs no time is reduced before `send` returns")
    goOn.open()
    await task.finish()
    #expect(await store.state == ["a", "x", "b", "c"])
  }

  @Test("an error goes to the effect's catch, unless it is thrown because of a cancellation")
  func errors() async {
    let goOn = Gate()
    let store = recordingStore { number in
      .run { _ in
        if number == 1 { throw CancellationError() }
        await goOn.wait()
        throw Failure()
      } catch: { error, send in
        await send(.record("\(number) \(error)"))
      }
    }
    var tasks: [StoreTask] = []
    for number in 0..<3 { tasks.append(await store.send(.start(number))) }
    tasks[2].cancel()
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await store.state == ["0 Failure()"])
  }

  @Test("an error that an effect doesn't catch is reported with the effect's place")
  func uncaughtError() async throws {
    let line: UInt = #line + 2
    let reported = await issues {
      let store = recordingStore { _ in .run { _ in throw Failure() } }
      await store.send(.start(0)).finish()
    }
    let issue = try #require(reported.first)
    #expect(reported.count == 1)
    #expect(issue.problem.contains("Failure()"))
    #expect((issue.fileID, issue.line) == (#fileID, line))
  }

  @Test("an effect runs with its own priority, or by default with the sender's")
  func priority() async {
    let store = recordingStore { number in
      .run(priority: number == 0 ? .low : nil) { send in
        await send(.record("\(number) \(Task.basePriority == .low)"))
      }
    }
    for number in 0..<2 {
      // Waits at a gate, because to wait for a task would raise its priority.
      let sent = Gate()
      Task.detached(priority: number == 0 ? .high : .low) {
        await store.send(.start(number)).finish()
        sent.open()
      }
      await sent.wait()
    }
    #expect(await store.state == ["0 true", "1 true"])
  }

  private struct Failure: Error {}
}
