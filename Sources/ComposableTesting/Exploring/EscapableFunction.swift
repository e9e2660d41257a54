/// Runs an operation with a function that it may pass to tasks.
///
/// Each of them must have ended when the operation returns, or never run in the function again. The
/// latter is sure where their executor drops their jobs: the function is `@concurrent`, so that it
/// returns to that executor after each wait, from wherever a task was.
///
/// - Parameter kept: What a task may use that waits on another executor, as the main actor, and goes on
///   there at any later time: the function doesn't own all of what it hands on.
func withEscapable(
  _ function: @concurrent @Sendable () async throws -> Void,
  keeping kept: any Sendable,
  _ operation: @Sendable (@escaping @Sendable () async throws -> Void) async throws -> Void
) async throws {
  try await withoutActuallyEscaping(function) { function in
    let escapable = EscapableFunction(function, keeping: kept)
    defer { escapable.takeAway() }
    try await operation { try await escapable() }
  }
}

/// Holds a function for tasks that end before its owner returns, or never run again.
@safe private final class EscapableFunction: Sendable {
  typealias Function = @concurrent @Sendable () async throws -> Void

  /// Prevents a conversion of the function to another type.
  private struct Plain {
    let function: Function
  }

  // Sound: written again only when no task that would call it runs.
  nonisolated(unsafe) private var function: Function?
  nonisolated(unsafe) private let context: UnsafeRawPointer?

  /// As long as a task that was abandoned: that keeps this object.
  private let kept: any Sendable

  init(_ function: @escaping Function, keeping kept: any Sendable) {
    self.kept = kept
    unsafe self.function = function
    // Sound: a function is two words: the code and what it has captured.
    unsafe context =
      unsafeBitCast(
        Plain(function: function), to: (UInt, UnsafeRawPointer?).self
      ).1
  }

  func callAsFunction() async throws {
    try await unsafe function?()
  }

  /// Takes the function away from abandoned tasks that are suspended in it.
  ///
  /// They never run again, so they never release it. Otherwise, `withoutActuallyEscaping` would
  /// consider the function escaped, and trap.
  func takeAway() {
    unsafe function = nil
    guard let context = unsafe context else { return }
    let probe = EscapableFunction({}, keeping: ())
    let one = unsafe Self.references(to: Unmanaged.passUnretained(probe).toOpaque())
    let left = unsafe Self.references(to: context)
    guard left > one else { return }
    for _ in one..<left { unsafe Unmanaged<AnyObject>.fromOpaque(context).release() }
    withExtendedLifetime(probe) {}
  }

  /// The reference count of an object, plus one if reading it retains the object.
  @inline(never)
  private static func references(to object: UnsafeRawPointer) -> UInt {
    unsafe Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { _getRetainCount($0) }
  }
}
