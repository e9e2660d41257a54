import Testing

@testable import ComposableTesting
@testable import TestClocks

@Suite("A queue")
struct QueueTests {
  @Test("returns its elements in order")
  func order() {
    var queue = Queue<Int>()
    var (appended, popped) = (0, 0)
    #expect(queue.popFirst() == nil)
    for count in [1, 2, 100, 3, 1_000] {
      for _ in 0..<count {
        queue.append(appended)
        appended += 1
      }
      for _ in 0..<(count / 2) {
        #expect(queue.popFirst() == popped)
        popped += 1
      }
    }
    while let element = queue.popFirst() {
      #expect(element == popped)
      popped += 1
    }
    #expect(popped == appended && queue.isEmpty)
  }

  @Test("keeps no more memory than it needs, even if it is never empty")
  func memory() {
    var queue = Queue<Int>()
    queue.append(0)
    for number in 1...10_000 {
      queue.append(number)
      _ = queue.popFirst()
      #expect(queue.storage.count <= 128)
    }
    #expect(!queue.isEmpty)
  }

  @Test("releases an element when it returns it")
  func release() {
    final class Object {}
    var queue = Queue<Object>()
    weak var object: Object?
    do {
      let new = Object()
      object = new
      queue.append(new)
    }
    #expect(object != nil)
    _ = queue.popFirst()
    #expect(object == nil)
  }
}
