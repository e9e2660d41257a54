internal import ComposableDependencies
internal import DependencyDebugging

/// A default that was read outside any scope.
struct LostRead: Hashable, CustomStringConvertible {
  let key: String
  let property: String?

  init(_ key: any DependencyKey.Type) {
    self.key = "\(key)"
    property = PropertyNames.name(of: key)
  }

  var description: String {
    let name = property.map { "\\.\($0) (\(key))" } ?? "`\(key)`"
    return """
      The default of \(name) was read outside any scope: detached tasks, threads and queues don't carry \
      the test's scope.
        Instead: capture the scope where you start that work, as in `Task.detached(in: .current) \
      { … }` or `queue.async(execute: DependencyScope.current.bind { … })`. The guide “My override \
      isn't seen” lists the causes.
        The value of `\(key)` is its default, `\(key).defaultValue`.
      """
  }
}
