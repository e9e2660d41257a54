internal import Synchronization

/// An object with an atomic word, a header and elements, in one piece of memory.
///
/// Headers and elements are plain values: what they own, the object's `deinit` releases.
// Not a subclass of `ManagedBuffer`, which isn't sendable.
protocol Buffer: AnyObject {
  associatedtype Header
  associatedtype Element
}

extension Buffer {
  private typealias Pointer = ManagedBufferPointer<(word: UInt, header: Header), Element>

  /// Returns an object whose elements aren't initialized.
  @inline(__always)
  static func make(_ header: Header, count: Int) -> Self {
    let buffer = Pointer(bufferClass: Self.self, minimumCapacity: count) { _, _ in (0, header) }
    // Sound: the buffer is an instance of this class.
    return unsafe unsafeDowncast(buffer.buffer, to: Self.self)
  }

  @inline(__always)
  private var buffer: Pointer { Pointer(unsafeBufferObject: self) }

  @inline(__always)
  var head: Header {
    get { unsafe buffer.withUnsafeMutablePointerToHeader { unsafe $0.pointee.header } }
    _modify {
      yield unsafe &buffer.withUnsafeMutablePointerToHeader { unsafe $0 }.pointee.header
    }
  }

  @inline(__always)
  private var elements: UnsafeMutablePointer<Element> {
    unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0 }
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { unsafe elements[index] }
    set { unsafe elements[index] = newValue }
  }

  /// Calls `body` with the atomic word, which is 0 at first.
  @inline(__always)
  func word<R>(_ body: (borrowing Atomic<UInt>) -> R) -> R {
    unsafe buffer.withUnsafeMutablePointerToHeader {
      unsafe body(UnsafeRawPointer($0).assumingMemoryBound(to: Atomic<UInt>.self).pointee)
    }
  }
}
