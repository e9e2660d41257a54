import ComposableDependencies
import Dispatch
import Testing

@Suite("Snippets of Binding closures")
struct BindingClosuresSnippets {
  @Test("a queue runs a bound closure in its scope")
  func queue() {
    let queue = DispatchQueue(label: "uploads")
    @Sendable func upload() { #expect(DependencyScope.current.retryLimit == 5) }
    DependencyScope.root.with(\.retryLimit, 5).run {
      queue.async(execute: DependencyScope.current.bind { upload() })
    }
    queue.sync {}
  }
}
