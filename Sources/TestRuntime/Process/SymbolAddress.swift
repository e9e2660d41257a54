#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Returns the address of a symbol in this process; `nil` if there is none of this name.
package func symbolAddress(_ name: String) -> UInt? {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    // Sound: the address is only a number here, and a loaded image stays loaded.
    unsafe dlsym(dlopen(nil, RTLD_LAZY), name).map { UInt(bitPattern: $0) }
  #else
    nil
  #endif
}
