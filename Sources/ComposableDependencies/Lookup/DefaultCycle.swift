#if DEBUG && canImport(Darwin)
  internal import Darwin
#elseif DEBUG && canImport(Glibc)
  internal import Glibc
#elseif DEBUG && canImport(Musl)
  internal import Musl
#elseif DEBUG && canImport(Android)
  internal import Android
#endif

/// A default that is being computed on this thread, linked to the default that waits for it.
///
/// Defaults that read each other never end. A debug build stops when the same default is read again
/// and again, and names the cycle; a release build overflows the stack.
@usableFromInline
enum DefaultCycle {
  /// Computes a default.
  @usableFromInline
  static func check<Value>(
    _ key: any DependencyKey.Type, in scope: ScopeNode?, _ compute: () -> Value
  ) -> Value {
    #if DEBUG && (canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android))
      // Sound: a frame is on this thread's stack until its default is computed, and then replaced.
      let outer = unsafe pthread_getspecific(innermost)?.assumingMemoryBound(to: Frame.self)
      var frame = unsafe Frame(key: key, scope: .optional(scope), outer: UnsafePointer(outer))
      if unsafe frame.isRepeated { unsafe stop(at: frame) }
      return unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe pthread_setspecific(innermost, frame)
        defer { unsafe pthread_setspecific(innermost, outer) }
        return compute()
      }
    #else
      return compute()
    #endif
  }
}

#if DEBUG && (canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android))
  /// The innermost frame of each thread.
  private let innermost = {
    var key = pthread_key_t()
    let error = unsafe pthread_key_create(&key, nil)
    precondition(error == 0, "The process has no thread-specific key left.")
    return key
  }()

  @unsafe
  private struct Frame {
    let key: any DependencyKey.Type
    let scope: Unowned<ScopeNode>?
    let outer: UnsafePointer<Frame>?

    /// Whether this default is already being computed more often than any default that ends would
    /// cause: in this scope, or, with other overrides each time, in scopes nested so deep that the
    /// stack of a secondary thread is about to overflow.
    var isRepeated: Bool {
      var (depth, repetitions, repetitionsInScope) = (0, 0, 0)
      var frame = unsafe outer
      while let current = unsafe frame {
        depth += 1
        if unsafe current.pointee.key == key { repetitions += 1 }
        if unsafe current.pointee.isSame(as: self) { repetitionsInScope += 1 }
        unsafe frame = current.pointee.outer
      }
      return repetitionsInScope >= 50 || depth >= 100 && repetitions >= 20
    }

    /// The keys of the cycle, from this frame's key back to itself.
    var cycle: [any DependencyKey.Type] {
      var keys = unsafe [key]
      var frame = unsafe outer
      while let current = unsafe frame {
        unsafe keys.append(current.pointee.key)
        if unsafe current.pointee.key == key { break }
        unsafe frame = current.pointee.outer
      }
      return keys.reversed()
    }

    /// The same, where the default of a shared key and its `make` count as one.
    var cycleWithoutRepetitions: [any DependencyKey.Type] {
      var keys: [any DependencyKey.Type] = []
      for key in unsafe cycle where keys.last != key { keys.append(key) }
      return keys.count == 1 ? keys + keys : keys
    }

    private func isSame(as other: Frame) -> Bool {
      unsafe key == other.key && scope == other.scope
    }
  }

  extension DefaultCycle {
    private static func stop(at frame: Frame) -> Never {
      let cycle = unsafe frame.cycleWithoutRepetitions.map { "\($0)" }
      let others = cycle.dropFirst().joined(separator: ", which reads ")
      let issue = DependencyIssue(
        problem: """
          The default of \(cycle[0]) reads \(others), and so never ends. The program stops here; a \
          release build overflows the stack.
          """,
        remedy: "compute one of these defaults without the others, or override one of them.",
        at: nil)
      issue.report()
      fatalError("\(issue)")
    }
  }
#endif
