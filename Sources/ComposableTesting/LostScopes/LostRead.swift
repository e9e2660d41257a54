internal import ComposableDependencies
internal import Testing

/// A default that was read outside any scope.
struct LostRead: Equatable, CustomStringConvertible {
  let key: String
  let place: ReadingPlace

  /// Creates a record of the current read, from the calls that led to it.
  init(_ key: any DependencyKey.Type) {
    self.key = "\(key)"
    self.place = .current()
  }

  var location: Testing.SourceLocation? { place.location }

  var description: String {
    let name = place.property.map { "\\.\($0) (\(key))" } ?? key
    return """
      The default of \(name) was read\(place.byFunction) outside any scope: detached tasks, threads and queues \
      don't carry the test's scope.
        Instead: capture the scope where you start that work, as in `Task.detached(in: .current) \
      { … }` or `queue.async(execute: DependencyScope.current.bind { … })`.
        The value of `\(key)` is its default, `\(key).defaultValue`.
      """
  }
}
