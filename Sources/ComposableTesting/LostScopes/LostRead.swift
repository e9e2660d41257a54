internal import ComposableDependencies
internal import Testing

/// A default that was read in no scope.
struct LostRead: Equatable, CustomStringConvertible {
  let key: String
  let place: ReadingPlace

  /// Made where the read happens, from the calls that led there.
  init(_ key: any DependencyKey.Type) {
    self.key = "\(key)"
    self.place = .current()
  }

  var location: Testing.SourceLocation? { place.location }

  var description: String {
    let name = place.property.map { "\\.\($0) (\(key))" } ?? key
    let reader = place.function.map { " by \($0)" } ?? ""
    return """
      The default of \(name) was read\(reader) in no scope at all: a detached task, a thread or a \
      queue does not carry the scope of the test.
        Instead: capture the scope where that work is started, as by `Task.detached(in: .current) \
      { … }` or `queue.async(execute: DependencyScope.current.bind { … })`.
      """
  }
}
