#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WASILibc)
  internal import Synchronization
#elseif canImport(ucrt)
  internal import WinSDK
#endif

// Each `unsafe` here stores a number as a pointer, which nothing follows.

/// A number that each thread has for itself, at first 0.
package final class ThreadWord: Sendable {
  #if os(Windows)
    private let key = TlsAlloc()

    package var value: UInt {
      get { unsafe UInt(bitPattern: TlsGetValue(key)) }
      set { _ = unsafe TlsSetValue(key, UnsafeMutableRawPointer(bitPattern: newValue)) }
    }
  #elseif canImport(WASILibc)
    private let only = Atomic<UInt>(0)

    package var value: UInt {
      get { only.load(ordering: .relaxed) }
      set { only.store(newValue, ordering: .relaxed) }
    }
  #else
    private let key: pthread_key_t = {
      var key = pthread_key_t()
      _ = unsafe pthread_key_create(&key, nil)
      return key
    }()

    package var value: UInt {
      get { unsafe UInt(bitPattern: pthread_getspecific(key)) }
      set { _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
  #endif

  package init() {}
}

/// Identifies the running thread among those that exist at the same time.
package var runningThread: UInt {
  #if os(Windows)
    UInt(GetCurrentThreadId())
  #elseif canImport(Darwin) || canImport(Musl)
    // Sound: the pointer is only compared.
    unsafe UInt(bitPattern: pthread_self())
  #elseif canImport(WASILibc)
    1
  #else
    UInt(pthread_self())
  #endif
}
