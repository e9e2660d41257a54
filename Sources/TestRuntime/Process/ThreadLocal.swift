#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif os(Windows)
  internal import WinSDK
#elseif os(WASI)
  #error("Tests need threads, which WASI doesn't have. The other modules don't import this one.")
#endif

/// A reference that each thread has of its own, and doesn't retain.
// Sound: the code that stores an object keeps it alive until it stores another one, or none.
@safe final class ThreadLocal<Value: AnyObject & Sendable>: Sendable {
  #if os(Windows)
    private let key = TlsAlloc()

    var value: Value? {
      get { unsafe TlsGetValue(key).map { unsafe Self.object($0) } }
      set { _ = unsafe TlsSetValue(key, newValue.map { unsafe Self.pointer($0) }) }
    }
  #else
    private let key: pthread_key_t = {
      var key = pthread_key_t()
      unsafe pthread_key_create(&key, nil)
      return key
    }()

    var value: Value? {
      get { unsafe pthread_getspecific(key).map { unsafe Self.object($0) } }
      set { unsafe pthread_setspecific(key, newValue.map { unsafe Self.pointer($0) }) }
    }
  #endif

  private static func object(_ pointer: UnsafeMutableRawPointer) -> Value {
    unsafe Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static func pointer(_ object: Value) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(object).toOpaque()
  }
}
