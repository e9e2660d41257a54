internal import ComposableDependencies

/// The overrides of a trait, and their place.
struct ScopeUpdate: Sendable {
  let place: ComposableDependencies.SourceLocation
  let update: @Sendable (inout Dependencies) -> Void

  init(
    fileID: StaticString, line: UInt, _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) {
    place = .init(fileID: fileID, line: line)
    self.update = update
  }
}
