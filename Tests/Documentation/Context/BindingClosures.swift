import Dispatch

@Test("a queue runs a bound closure in its scope")
private func queue() {
  let queue = DispatchQueue(label: "uploads")
  @Sendable func upload() { #expect(DependencyScope.current.retryLimit == 5) }
  DependencyScope.root.with(\.retryLimit, 5).run {
    // block: queue.async(
  }
  queue.sync {}
}
