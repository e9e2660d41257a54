internal import ComposableDependencies

#if os(WASI)
  #error("Tests need threads, which WASI doesn't have. The other modules don't import this one.")
#endif

/// A reference that each thread has of its own, and doesn't retain.
// Sound: the code that stores an object keeps it alive until it stores another one, or none.
@safe final class ThreadLocal<Value: AnyObject & Sendable>: Sendable {
  private let word = ThreadWord()

  var value: Value? {
    get {
      unsafe UnsafeRawPointer(bitPattern: word.value).map {
        unsafe Unmanaged<Value>.fromOpaque($0).takeUnretainedValue()
      }
    }
    set {
      word.value = unsafe UInt(
        bitPattern: newValue.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }
  }
}
