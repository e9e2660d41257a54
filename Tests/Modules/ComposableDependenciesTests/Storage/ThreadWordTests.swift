import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Words and references that threads share or don't")
struct ThreadWordTests {
  @Test("each word has its own value on each thread, at first 0")
  func words() {
    let words = (0..<3).map { _ in ThreadWord() }
    for (number, word) in words.enumerated() { word.value = UInt(number + 1) }
    #expect(words.map(\.value) == [1, 2, 3])
    onSmallStack { #expect(words.map(\.value) == [0, 0, 0]) }
    #expect(words.map(\.value) == [1, 2, 3])
  }

  @Test("a reference that is set once keeps its first object, and releases others")
  func setOnce() {
    let alive = AliveCounter()
    do {
      let (once, first) = (Owner(), Tracked(alive))
      #expect(once.reference.object == nil)
      #expect(once.reference.set(first).object === first)
      #expect(once.reference.set(Tracked(alive)).object === first)
      #expect(alive.count == 1)
    }
    #expect(alive.count == 0)
  }

  /// Has the reference, which can't be copied.
  private final class Owner: Sendable {
    let reference = SetOnce<Tracked>()
  }
}
