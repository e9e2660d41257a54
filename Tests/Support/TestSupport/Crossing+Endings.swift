internal import ComposableDependencies
internal import Synchronization

extension Crossing {
  package static let endings: [Crossing] = [
    Crossing("a cancellation handler", .someoneElses) { read, values in
      let gate = Gate()
      let task = Task {
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          values.add(read())
        }
      }
      await gate.waitForArrivals()
      elsewhere.run { task.cancel() }
      gate.open()
      await task.value
    },
    Crossing("AsyncStream.onTermination, when the stream is finished", .someoneElses) {
      read, values in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in values.add(read()) }
      elsewhere.run { continuation.finish() }
      _ = stream
    },
    Crossing("AsyncStream.onTermination, when the consumer is cancelled", .someoneElses) {
      read, values in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in values.add(read()) }
      let executor = QueueTaskExecutor()
      let consumer = Task(executorPreference: executor) { for await _ in stream {} }
      await executor.waitForJobs()
      elsewhere.run { consumer.cancel() }
      await consumer.value
    },
    Crossing("a body that another task runs after the handler has returned", .someoneElses) {
      read, values in
      func handle() async -> @Sendable () -> Void {
        await Task.yield()
        return { values.add(read()) }
      }
      let body = await handle()
      await elsewhere.run { await Task { body() }.value }
    },
    Crossing("a body that a server's own task runs after the handler has returned", .lost) {
      read, values in
      func handle() async -> @Sendable () -> Void {
        await Task.yield()
        return { values.add(read()) }
      }
      let body = await handle()
      await Task.detached { body() }.value
    },
    Crossing("deinit", .someoneElses) { read, values in
      let box = Box(Plain(read: read, values: values))
      elsewhere.run { box.release() }
    },
  ]

  @available(macOS 15.4, iOS 18.4, watchOS 11.4, tvOS 18.4, visionOS 2.4, *)
  package static let isolatedDeinits: [Crossing] = [
    Crossing("isolated deinit, on its actor", .lost) { read, values in
      await MainActor.run {
        let box = Box(Isolated(read: read, values: values))
        elsewhere.run { box.release() }
      }
    },
    Crossing("isolated deinit, from another actor", .lost) { read, values in
      await withCheckedContinuation { continuation in
        let box = Box(Isolated(read: read, values: values) { continuation.resume() })
        elsewhere.run { box.release() }
      }
    },
  ]

  private final class Plain: Sendable {
    let read: Read
    let values: Values

    init(read: @escaping Read, values: Values) {
      self.read = read
      self.values = values
    }

    deinit { values.add(read()) }
  }

  @available(macOS 15.4, iOS 18.4, watchOS 11.4, tvOS 18.4, visionOS 2.4, *)
  @MainActor
  private final class Isolated: Sendable {
    let read: Read
    let values: Values
    let isGone: @Sendable () -> Void

    nonisolated init(
      read: @escaping Read, values: Values, isGone: @escaping @Sendable () -> Void = {}
    ) {
      self.read = read
      self.values = values
      self.isGone = isGone
    }

    isolated deinit {
      values.add(read())
      isGone()
    }
  }
}

/// Holds the only reference to an object.
private final class Box<Object: Sendable>: Sendable {
  private let held: Mutex<Object?>

  init(_ object: Object) { held = Mutex(object) }

  /// Releases the object without holding a lock.
  func release() {
    _ = held.withLock { object in
      defer { object = nil }
      return object
    }
  }
}
