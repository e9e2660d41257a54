internal import ComposableDependencies

extension Crossing {
  private struct Failure: Error {}

  package static let tasks: [Crossing] = [
    Crossing("the same task, after a suspension", .kept) { read, values in
      await Task.yield()
      values.add(read())
    },
    Crossing("async let", .kept) { read, values in
      async let value = read()
      values.add(await value)
    },
    Crossing("a task group", .kept) { read, values in
      await withTaskGroup { group in
        group.addTask { read() }
        for await value in group { values.add(value) }
      }
    },
    Crossing("a throwing task group", .kept) { read, values in
      try? await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { read() }
        for try await value in group { values.add(value) }
        throw Failure()
      }
    },
    Crossing("a discarding task group", .kept) { read, values in
      await withDiscardingTaskGroup { group in
        group.addTask { values.add(read()) }
      }
    },
    Crossing("a throwing discarding task group", .kept) { read, values in
      try? await withThrowingDiscardingTaskGroup { group in
        group.addTask { values.add(read()) }
      }
    },
    Crossing("a binding made inside a group's body", .kept) { read, values in
      await elsewhere.run {
        await withTaskGroup { group in
          here.run { group.addTask { values.add(read()) } }
        }
      }
    },
    Crossing("a binding made inside a discarding group's body", .kept) { read, values in
      await elsewhere.run {
        await withDiscardingTaskGroup { group in
          here.run { group.addTask { values.add(read()) } }
        }
      }
    },
    Crossing("Task {}, awaited elsewhere", .kept) { read, values in
      let task = Task { values.add(read()) }
      await elsewhere.run { await task.value }
    },
    Crossing("Task.detached", .lost) { read, values in
      await Task.detached { values.add(read()) }.value
    },
    Crossing("a Task {} made in a detached one", .lost) { read, values in
      await Task.detached { await Task { values.add(read()) }.value }.value
    },
  ]

  @available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
  package static let immediateTasks: [Crossing] = [
    Crossing("Task.immediate", .kept) { read, values in
      let task = Task.immediate {
        values.add(read())
        await Task.yield()
        values.add(read())
      }
      await elsewhere.run { await task.value }
    },
    Crossing("Task.immediateDetached", .lost) { read, values in
      let task = Task.immediateDetached {
        values.add(read())
        await Task.yield()
        values.add(read())
      }
      await task.value
    },
  ]
}
