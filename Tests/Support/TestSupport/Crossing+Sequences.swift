internal import ComposableDependencies

extension Crossing {
  package static let sequences: [Crossing] = [
    Crossing("the build closure of an AsyncStream", .kept) { read, values in
      let stream = AsyncStream {
        $0.yield(read())
        $0.finish()
      }
      await collect(stream, in: values)
    },
    Crossing("a Task {} made in the build closure of an AsyncStream", .kept) { read, values in
      let stream = AsyncStream { continuation in
        Task {
          continuation.yield(read())
          continuation.finish()
        }
      }
      await collect(stream, in: values)
    },
    Crossing("AsyncStream(unfolding:)", .someoneElses) { read, values in
      await collect(AsyncStream(unfolding: { values.all.isEmpty ? read() : nil }), in: values)
    },
    Crossing("AsyncSequence.map", .someoneElses) { read, values in
      await collect(one.map { _ in read() }, in: values)
    },
    Crossing("AsyncSequence.filter", .someoneElses) { read, values in
      let filtered = one.filter { _ in
        values.add(read())
        return false
      }
      await collect(filtered, in: values)
    },
  ]

  private static var one: AsyncStream<Int> {
    AsyncStream {
      $0.yield(1)
      $0.finish()
    }
  }

  /// Consumes a sequence elsewhere.
  private static func collect(
    _ sequence: some AsyncSequence<Int, Never>, in values: Values
  ) async {
    await elsewhere.run {
      for await value in sequence { values.add(value) }
    }
  }
}
