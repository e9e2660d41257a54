import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Send")
struct SendTests {
  @Test("an action sent after its effect has ended is reduced and reported")
  func lateAction() async throws {
    let (ended, sent) = (Gate(), Gate())
    let line: UInt = #line + 3
    let reported = await issues {
      let store = recordingStore { _ in
        .run { send in
          Task {
            await ended.wait()
            await send(.record("late"))
            sent.open()
          }
        }
      }
      await store.send(.start(0)).finish()
      ended.open()
      await sent.wait()
      #expect(await store.state == ["late"])
    }
    let issue = try #require(reported.first)
    #expect(reported.count == 1)
    #expect((issue.fileID, issue.line) == (#fileID, line))
    #expect(issue.problem.contains("late"))
  }

  @Test("an action that a cancelled effect sends after its end is silently ignored")
  func lateActionOfCancelledEffect() async {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let started = Gate()
    let reported = await issues {
      let store = recordingStore { _ in
        .run { send in
          kept.withLock { $0 = send }
          started.open()
          try await Task.sleep(for: .seconds(1_000_000))
        }
      }
      let task = await store.send(.start(0))
      await started.wait()
      await task.cancelAndFinish()
      await kept.withLock { $0 }?(.record("late"))
      #expect(await store.state.isEmpty)
    }
    #expect(reported.isEmpty)
  }

  @Test("an identifier cancels a part of an operation, and the rest continues")
  func cancellablePart() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        await send(.record("before"))
        do {
          try await send.withTaskCancellation(id: 7) { send in
            started.open()
            try? await Task.sleep(for: .seconds(1_000_000))
            #expect(Task.isCancelled && send.isCancelled)
            await send(.record("ignored"))
            try Task.checkCancellation()
          }
        } catch {
          await send(.record("\(error is CancellationError)"))
        }
        await send(.record("after"))
      }
    }
    let task = await store.send(.start(0))
    await started.wait()
    await store.send(.cancel(7))
    await task.finish()
    #expect(await store.state == ["before", "true", "after"])
  }

  @Test("a part returns its result, runs in the effect's scope, and is cancelled with the effect")
  func resultOfPart() async {
    let started = Gate()
    let store = DependencyScope.root.with(\.a, 10).run {
      recordingStore { number in
        .run { send in
          if number == 0 {
            let sum = try await send.withTaskCancellation(id: 1) { _ in
              DependencyScope.current.a + 1
            }
            await send(.record("\(sum)"))
          } else {
            try await send.withTaskCancellation(id: 1) { _ in
              started.open()
              try await Task.sleep(for: .seconds(1_000_000))
            }
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["11"])
    let task = await store.send(.start(1))
    await started.wait()
    await task.cancelAndFinish()
  }

  @Test("a later part with cancelInFlight cancels the previous one")
  func cancelInFlight() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        await withTaskGroup { group in
          group.addTask {
            try? await send.withTaskCancellation(id: 1) { send in
              started.open()
              try? await Task.sleep(for: .seconds(1_000_000))
              await send(.record("first"))
            }
          }
          await started.wait()
          try? await send.withTaskCancellation(id: 1, cancelInFlight: true) { send in
            await send(.record("second"))
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["second"])
  }
}
