/// The same content four times, for values that are large.
struct Four<Content: Sendable>: Sendable {
  let first, second, third, fourth: Content

  init(_ content: Content) {
    (first, second, third, fourth) = (content, content, content, content)
  }
}

extension Four: Equatable where Content: Equatable {}
