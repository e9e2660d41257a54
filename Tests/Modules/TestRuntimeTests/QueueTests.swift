import Testing

@testable import ComposableTesting
@testable import TestRuntime

@Suite("A queue")
struct QueueTests {
  @Test("returns its elements in order, releases them, and keeps no more memory than it needs")
  func order() {
    final class Element {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    var queue = Queue<Element>()
    #expect(queue.popFirst() == nil)
    queue.append(Element(0))
    for number in 1...10_000 {
      queue.append(Element(number))
      weak let first = queue.popFirst()
      #expect(first == nil && queue.storage.count <= 128)
    }
    #expect(queue.popFirst()?.number == 10_000 && queue.isEmpty)
  }
}
