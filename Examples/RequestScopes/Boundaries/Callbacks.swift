import ComposableEnvironment
import Dispatch

extension Request {
  /// A callback runs outside any scope, unless it is bound to one.
  ///
  /// The task that waits for it stays in its own scope.
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
