import ComposableReducers
import TestSupport
import Testing

@Suite("Effect")
struct EffectTests {
  @Test("an effect sends any number of actions, from any task it creates")
  func sendsFromAnyTask() async {
    let store = recordingStore { _ in
      .run { send in
        await send(.record("task"))
        await withTaskGroup { group in
          for number in 0..<20 { group.addTask { await send(.record("child \(number)")) } }
        }
        await Task.detached { await send(.record("detached")) }.value
      }
    }
    await store.send(.start(0)).finish()
    let state = await store.state
    #expect(state.count == 22)
    #expect(Set(state).count == 22)
    #expect((state.first, state.last) == ("task", "detached"))
  }

  @Test("merged effects run concurrently")
  func merge() async {
    let (first, second) = (Gate(), Gate())
    let store = recordingStore { _ in
      .merge(
        .run { send in
          second.open()
          await first.wait()
          await send(.record("first"))
        },
        .run { send in
          await second.wait()
          await send(.record("second"))
          first.open()
        })
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["second", "first"])
  }

  @Test("map transforms the actions of every kind of effect")
  func map() async {
    let store = recordingStore { _ in
      Effect<Int>.merge(
        .send(1),
        .run { send in await send(2) },
        .concatenate(.run { _ in }, .send(3)),
        Effect<Int>.run { send in await send(4) }.cancellable(id: 1),
        Effect<Int>.send(5).debounce(id: 2, for: .zero, clock: ContinuousClock()),
        Effect<Int>.send(6).throttle(id: 3, for: .zero, clock: ContinuousClock(), latest: true),
        .cancel(id: 9), .none
      ).map { RecordingAction.record("\($0)") }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state.sorted() == ["1", "2", "3", "4", "5", "6"])
  }

  @Test("an error goes to the effect's catch")
  func catchesErrors() async {
    let store = recordingStore { _ in
      .run { _ in
        throw Failure()
      } catch: { error, send in
        await send(.record("caught \(error)"))
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["caught Failure()"])
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

  @Test("an error thrown because of cancellation is ignored")
  func cancellationIsNoError() async {
    let started = Gate()
    let store = recordingStore { number in
      .run { _ in
        if number == 0 { throw CancellationError() }
        await started.wait()
        if Task.isCancelled { throw Failure() }
      } catch: { error, send in
        await send(.record("caught"))
      }
    }
    await store.send(.start(0)).finish()
    let task = await store.send(.start(1))
    await started.waitForArrivals()
    task.cancel()
    started.open()
    await task.finish()
    #expect(await store.state.isEmpty)
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
