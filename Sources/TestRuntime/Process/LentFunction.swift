internal import Synchronization

// Sound: each has the signature of its declaration in the runtime's sources, and only reads.
#if compiler(>=6.3)
  @_silgen_name("swift_retainCount")
  private func retainCount(_ object: UInt) -> Int

  private func isRetainedOnce(_ object: UInt) -> Bool { retainCount(object) == 1 }
#else
  // Sound, as above. Swift 6.2 rejects the other declaration, and later versions reserve this name.
  @_silgen_name("swift_isUniquelyReferenced_nonNull_native")
  private func isRetainedOnce(_ object: UInt) -> Bool
#endif

/// A function that must be given back, although tasks that never go on may be inside of it.
///
/// Swift stops the process if anything still retains a function when the code that lent it gets it back. A task
/// that is suspended inside of the function retains it. If the task never goes on, nothing uses the
/// function any more, so giving it back releases it on behalf of the task.
// Sound: a function is a pointer and the object of its context, which the lender keeps alive.
@safe package final class LentFunction: Sendable {
  package typealias Function = @concurrent @Sendable () async throws -> Void

  // In a structure, which keeps the function as it is. A generic type would wrap it in another one.
  private struct Contents {
    let function: Function
  }

  /// Stands for the type of the context, an object of Swift, so that it's released as one everywhere.
  private final class Context {}

  private let contents: Mutex<Contents?>
  /// The address of the function's context; 0 if it has none.
  private let context: UInt

  package init(_ function: @escaping Function) {
    let contents = Contents(function: function)
    context = unsafe unsafeBitCast(contents, to: (UInt, UInt).self).1
    self.contents = Mutex(contents)
  }

  package func callAsFunction() async throws {
    guard let function = contents.withLock({ $0 })?.function else { throw CancellationError() }
    try await function()
  }

  /// Gives the function back.
  ///
  /// No task that is inside of it may go on afterwards.
  package func giveBack() {
    contents.withLock { $0 = nil }
    // Until only the lender retains it.
    while context != 0, !isRetainedOnce(context) {
      unsafe Unmanaged<Context>.fromOpaque(UnsafeRawPointer(bitPattern: context)!).release()
    }
  }
}
