import Testing

@testable import ComposableDependencies

@Suite("Memory behind an object")
struct TailLayoutTests {
  @Test(
    "a head and elements lie where they are aligned, with words of 4 and of 8 bytes",
    arguments: [
      // The value of an override: after the key, its witness table, the type and an atomic word.
      (word: 8, size: 32, alignment: 8, element: 16, head: 16, elements: 48),
      (word: 4, size: 16, alignment: 4, element: 8, head: 8, elements: 24),
      // The overrides of a node: after two references, 64 bits, three bytes and an atomic word.
      (word: 8, size: 40, alignment: 8, element: 8, head: 16, elements: 56),
      (word: 4, size: 28, alignment: 8, element: 4, head: 8, elements: 36),
      (word: 4, size: 28, alignment: 4, element: 4, head: 8, elements: 36),
      // A head that begins or ends between two words.
      (word: 4, size: 9, alignment: 16, element: 4, head: 16, elements: 28),
      (word: 8, size: 9, alignment: 1, element: 16, head: 16, elements: 32),
    ])
  func offsets(
    word: Int, size: Int, alignment: Int, element: Int, head: Int, elements: Int
  ) {
    let layout = TailLayout(
      headSize: size, headAlignment: alignment, elementAlignment: element, wordSize: word)
    #expect(layout.head == head)
    #expect(layout.elements == elements)
  }

  @Test("an object without stored properties has memory after two words")
  func object() {
    let buffer = ManagedBufferPointer<Void, UInt>(
      bufferClass: Object.self, minimumCapacity: 1, makingHeaderWith: { _, _ in })
    let object = unsafe UnsafeRawPointer(Unmanaged.passUnretained(buffer.buffer).toOpaque())
    let memory = unsafe buffer.withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
    #expect(unsafe memory == object + 2 * MemoryLayout<UInt>.size)
  }

  @Test("an override's value is behind its head, where clients read it")
  func override() {
    let layout = Override.Head.layout
    let word = MemoryLayout<UInt>.size
    #expect([4, 8].contains(word))
    #expect(layout.head == 2 * word)
    #expect(layout.elements == 6 * word)
    let override = Override.make(NumberKey.self, 7)
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(override).toOpaque())
    #expect(unsafe (address + layout.elements).load(as: Int.self) == 7)
    withExtendedLifetime(override) {}
  }

  private final class Object {}

  private enum NumberKey: DependencyKey {
    static var defaultValue: Int { 0 }
  }
}
