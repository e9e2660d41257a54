internal import ComposableDependencies
internal import Dispatch
internal import Foundation

extension Crossing {
  package static let threads: [Crossing] = [
    Crossing("the body of a continuation", .kept) { read, values in
      await withCheckedContinuation { continuation in
        values.add(read())
        DispatchQueue.global().async { continuation.resume() }
      }
    },
    Crossing("the callback that resumes a continuation", .lost) { read, values in
      values.add(
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(returning: read()) }
        })
    },
    Crossing("after a continuation that a queue resumed", .kept) { read, values in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      values.add(read())
    },
    callback("DispatchQueue.async") { body in
      DispatchQueue.global().async(execute: body)
    },
    callback("DispatchQueue.asyncAfter") { body in
      DispatchQueue.global().asyncAfter(deadline: .now(), execute: body)
    },
    callback("a Task {} made on a dispatch queue") { body in
      DispatchQueue.global().async { Task { body() } }
    },
    callback("Thread") { body in
      Thread(block: body).start()
    },
    callback("OperationQueue") { body in
      OperationQueue().addOperation(body)
    },
    Crossing("DispatchQueue.sync", .kept) { read, values in
      DispatchQueue(label: "sync").sync { values.add(read()) }
    },
    Crossing("DispatchQueue.concurrentPerform", .mixed) { read, values in
      DispatchQueue.concurrentPerform(iterations: 64) { _ in values.add(read()) }
    },
    Crossing("NotificationCenter, whose observers run where it is posted", .someoneElses) {
      read, values in
      let center = NotificationCenter()
      let name = Notification.Name("crossing")
      let observer = center.addObserver(forName: name, object: nil, queue: nil) { _ in
        values.add(read())
      }
      elsewhere.run { center.post(name: name, object: nil) }
      center.removeObserver(observer)
    },
    Crossing("a signal's DispatchSource", .lost) { read, values in
      let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
      defer { source.cancel() }
      source.setEventHandler { values.add(read()) }
      // Linux discards ignored signals, and otherwise may deliver a signal to an arbitrary thread
      // before the source sees it. So install a handler, and send more than one signal.
      signal(SIGUSR1) { _ in }
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { continuation.resume() }
        source.resume()
      }
      while values.all.isEmpty {
        kill(getpid(), SIGUSR1)
        await Task.yield()
      }
    },
  ]

  /// Calls back once, from another thread.
  private static func callback(
    _ description: String,
    start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  ) -> Crossing {
    Crossing(description, .lost) { read, values in
      await withCheckedContinuation { continuation in
        start {
          values.add(read())
          continuation.resume()
        }
      }
    }
  }
}
