internal import Synchronization

/// A default that is being computed.
///
/// Where reads are watched, and in debug builds if there are many, a task-local has the innermost one. A
/// task that a default starts inherits it, but doesn't belong to it once the default is computed.
@usableFromInline
final class ComputedDefault: Sendable {
  @TaskLocal private static var innermost: ComputedDefault?

  private let key: any DependencyKey.Type
  /// The default that reads this one, if it is still being computed.
  private let outer: ComputedDefault?
  private let isComputed = Atomic(false)
  /// The number of defaults that read this one, directly or through others.
  private let depth: Int

  private init(_ key: any DependencyKey.Type) {
    self.key = key
    var outer = Self.innermost
    while let computed = outer, computed.isComputed.load(ordering: .relaxed) {
      outer = computed.outer
    }
    self.outer = outer
    depth = outer.map { $0.depth + 1 } ?? 0
  }

  /// Computes a default.
  @usableFromInline
  static func compute<Value>(
    _ key: any DependencyKey.Type, watchesReads: Bool = false, _ compute: () -> Value
  ) -> Value {
    #if DEBUG
      // A cycle has many, and the rest of a default costs less than to look for one.
      let count = running.add(1, ordering: .relaxed).newValue
      defer { running.subtract(1, ordering: .relaxed) }
      if !watchesReads && count < 16 { return compute() }
    #else
      if !watchesReads { return compute() }
    #endif
    let new = ComputedDefault(key)
    #if DEBUG
      new.stopInCycle()
    #endif
    defer { new.isComputed.store(true, ordering: .relaxed) }
    return $innermost.withValue(new, operation: compute)
  }

  /// The keys of the defaults that are being computed, the innermost first.
  ///
  /// Limited, because defaults that read each other never end.
  static var keys: [any DependencyKey.Type] {
    var keys: [any DependencyKey.Type] = []
    var next = innermost
    while let current = next, keys.count < 64 {
      if !current.isComputed.load(ordering: .relaxed) { keys.append(current.key) }
      next = current.outer
    }
    return keys
  }
}

#if DEBUG
  extension ComputedDefault {
    /// The number of defaults that are being computed, on all threads.
    private static let running = Atomic(0)

    /// How many defaults may read each other before they are searched for a cycle: fewer than fill
    /// the 512 KB of stack that the threads of Apple's systems have.
    private static var largestDepth: Int { 100 }

    /// Stops the program if defaults that read each other are about to overflow the stack.
    private func stopInCycle() {
      if depth < Self.largestDepth { return }
      var cycle = [key]
      var next = outer
      while let current = next {
        cycle.append(current.key)
        if current.key == key { stop(in: cycle.reversed()) }
        next = current.outer
      }
    }

    private func stop(in cycle: [any DependencyKey.Type]) -> Never {
      let names = cycle.map { "\($0)" }
      let others = names.dropFirst().joined(separator: ", which reads ")
      let issue = DependencyIssue(
        problem: """
          The default of \(names[0]) reads \(others), and so never ends. The program stops here; a \
          release build overflows the stack.
          """,
        remedy: "compute one of these defaults without the others, or override one of them.",
        at: nil)
      issue.report()
      fatalError("\(issue)")
    }
  }
#endif
