internal import Synchronization

/// A place where the runtime looks for a function to call instead of its own.
// Sound: the place is an aligned word of the runtime, which is never freed. It is only loaded and stored atomically, and
// threads may still call what was there before.
@safe final class Hook: Sendable {
  let name: String
  let place: UInt
  private let function: UInt
  private let lock = Mutex(())
  private let before = Atomic<UInt>(0)

  /// Finds the place; `nil` if the runtime has none of this name.
  init?(_ name: String, _ function: UInt) {
    #if _ptrauth(_arm64e)
      // The runtime may expect a signed pointer there.
      return nil
    #else
      guard let place = symbolAddress(name) else { return nil }
      (self.name, self.place, self.function) = (name, place, function)
    #endif
  }

  /// The function that was there before, if any.
  var previous: UInt? {
    let before = before.load(ordering: .acquiring)
    return before == 0 ? nil : before
  }

  var isFree: Bool { content == 0 }
  var isInstalled: Bool { content == function }

  private var content: UInt { unsafe word.pointee.load(ordering: .acquiring) }
  private var word: UnsafeMutablePointer<Atomic<UInt>> {
    unsafe UnsafeMutablePointer(bitPattern: place)!
  }

  func install() {
    lock.withLock { _ in
      if isInstalled { return }
      before.store(content, ordering: .releasing)
      unsafe word.pointee.store(function, ordering: .releasing)
    }
  }

  /// Puts back what was there before, unless another function is there by now.
  func remove() {
    lock.withLock { _ in
      guard isInstalled else { return }
      unsafe word.pointee.store(previous ?? 0, ordering: .releasing)
    }
  }
}
