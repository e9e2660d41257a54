import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Send")
struct SendTests {
  @Test(
    "an action sent after its effect has ended is reduced and reported, unless it was cancelled",
    arguments: [false, true])
  func lateAction(isCancelled: Bool) async throws {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let goOn = Gate()
    let line: UInt = #line + 3
    let reported = await issues {
      let store = recordingStore { _ in
        .run { send in
          kept.withLock { $0 = send }
          await goOn.wait()
        }
      }
      let task = await store.send(.start(0))
      if isCancelled { task.cancel() }
      goOn.open()
      await task.finish()
      await kept.withLock { $0 }?(.record("late"))
      #expect(await store.state == (isCancelled ? [] : ["late"]))
    }
    #expect(reported.map(\.line) == (isCancelled ? [] : [line]))
    #expect(reported.allSatisfy { $0.fileID == #fileID && $0.problem.contains("late") })
  }
}
