/// An error that prevents access to a resource.
public enum ResourceError: Error, CustomStringConvertible {
  /// Resources that need each other: each needs the next, and the last is the first.
  case cycle([any ResourceKey.Type])

  /// A resource that code asked for after its lifetime ended, and the place where that lifetime
  /// began.
  case lifetimeEnded(any ResourceKey.Type, fileID: StaticString, line: UInt)

  /// A resource that code asked for in a scope without a lifetime.
  case noLifetime(any ResourceKey.Type)

  /// What happened, and what to write instead.
  public var description: String {
    switch self {
    case .cycle(let keys):
      """
      These resources wait for each other: \(keys.map { "\($0)" }.joined(separator: " → ")).
        Instead: move what they share into a resource of its own that needs none of them.
      """
    case .lifetimeEnded(let key, let fileID, let line):
      """
      `\(key)` can't be opened, because the operation of `withResources` at \(fileID):\(line) has \
      ended.
        Instead: wait in that operation for the tasks that need it, or list `\(key).self` in a \
      longer lifetime.
      """
    case .noLifetime(let key):
      """
      `\(key)` can't be opened, because this scope has no lifetime.
        Instead: call `open` inside the operation of `withResources`, which closes the resource.
      """
    }
  }
}
