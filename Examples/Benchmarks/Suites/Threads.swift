import Foundation
import GlobalEnvironment

/// Reads and global values on several threads concurrently, compared to one thread.
extension Catalog {
  static let threads = [
    ("own", "current.number, each in a scope of its own", readInOwnScope),
    ("shared", "current.number, all in one scope", readInSharedScope),
    ("default", "current.number, a default", readDefault),
    ("wrapper-default", "@Dependency, a default", readWrapperDefault),
    ("captured-default", "@Dependency, a default, outside its scope", readCapturedDefault),
    ("global", "current.globalNumber, set globally", readGlobal),
    ("set", "set a global value in the process's store", setGlobally),
  ].flatMap { name, title, workload in
    series("threads/\(name)", title, threadCounts, "threads", workload)
  }

  private static let threadCounts = Set([1, 2, ProcessInfo.processInfo.activeProcessorCount])
    .sorted()

  private static let readInOwnScope: @Sendable (Int) -> Workload = { threads in
    Workload(threads: threads) { count in
      withDependencies {
        $0.number = count
      } operation: {
        for _ in 0..<count { sink(DependencyScope.current.number) }
      }
    }
  }

  private static let readInSharedScope: @Sendable (Int) -> Workload = { threads in
    let scope = DependencyScope.overriding(1)
    return Workload(threads: threads) { count in
      scope.run { for _ in 0..<count { sink(DependencyScope.current.number) } }
    }
  }

  private static let readDefault: @Sendable (Int) -> Workload = { threads in
    Workload(threads: threads) { count in
      for _ in 0..<count { sink(DependencyScope.current.number) }
    }
  }

  private static let readWrapperDefault: @Sendable (Int) -> Workload = { threads in
    Workload(threads: threads) { count in
      let dependency = Dependency(\.number)
      for _ in 0..<count { sink(dependency.wrappedValue) }
    }
  }

  private static let readGlobal: @Sendable (Int) -> Workload = { threads in
    Settings().with(\.globalNumber, 3)
    return Workload(threads: threads) { count in
      for _ in 0..<count { sink(DependencyScope.current.globalNumber) }
    }
  }

  private static let readCapturedDefault: @Sendable (Int) -> Workload = { threads in
    let child = DependencyScope.overridingOthers(1).run { ChildEnvironment() }
    return Workload(threads: threads) { count in
      let child = opaque(child)
      for _ in 0..<count { sink(child.declared) }
    }
  }

  private static let setGlobally: @Sendable (Int) -> Workload = { threads in
    Workload(threads: threads) { count in
      for number in 0..<count { Dependencies.setGlobally { $0.globalNumber = number } }
    }
  }

  private struct Settings: GlobalDependenciesAccessing {}
}
