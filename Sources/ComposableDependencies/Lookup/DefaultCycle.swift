/// Finds defaults that read each other, and so never end.
///
/// A debug build stops when the same default is being computed again and again, and names the cycle;
/// a release build overflows the stack.
@usableFromInline
enum DefaultCycle {
  #if DEBUG
    /// The keys whose defaults are being computed, the innermost last.
    @TaskLocal private static var keys: [any DependencyKey.Type] = []

    /// How often a default may be computed inside itself.
    private static let limit = 50
  #endif

  /// Computes a default.
  @usableFromInline
  static func check<Value>(_ key: any DependencyKey.Type, _ compute: () -> Value) -> Value {
    #if DEBUG
      let keys = keys + [key]
      if keys.count(where: { $0 == key }) > limit { stop(in: keys) }
      return $keys.withValue(keys, operation: compute)
    #else
      return compute()
    #endif
  }

  #if DEBUG
    private static func stop(in keys: [any DependencyKey.Type]) -> Never {
      let key = keys.last!
      let cycle = [key] + keys[keys.dropLast().lastIndex { $0 == key }!...].dropFirst()
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
  #endif
}
