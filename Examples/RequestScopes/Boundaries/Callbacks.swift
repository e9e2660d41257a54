import ComposableEnvironment
import Dispatch

extension Request {
  /// A callback is in no scope, unless it is bound to one; the task that waits for it stays in its
  /// own.
  func callBack() async {
    await withCheckedContinuation { continuation in
      Self.fetch(
        completion: DependencyScope.current.bind { @Sendable in
          probe.read(at: .queueCallback)
          continuation.resume()
        })
    }
    probe.read(at: .afterContinuation)
  }

  /// An API from before `async`.
  private static func fetch(completion: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: completion)
  }
}
