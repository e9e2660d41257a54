/// The same content four times, for values that are large.
package struct Four<Content: Sendable>: Sendable {
  package let first, second, third, fourth: Content

  package init(_ content: Content) {
    (first, second, third, fourth) = (content, content, content, content)
  }
}

extension Four: Equatable where Content: Equatable {}
