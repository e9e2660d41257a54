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
}
