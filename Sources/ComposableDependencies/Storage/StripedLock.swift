internal import Synchronization

// Each `unsafe` here accesses the state or a lock. Both are initialized and freed with the whole, and a
// stripe's number is less than their count. A reader holds one of the locks, and a writer all of them.

/// State that is read often, from many threads, and changed rarely.
///
/// It is protected by several locks. A reader takes the lock of its thread's stripe, so that
/// readers on different threads rarely wait for each other; a writer takes all locks.
// Unchecked because of the pointers, which never change.
@safe
package struct StripedLock<State: ~Copyable>: ~Copyable, @unchecked Sendable {
  private struct Stripe: ~Copyable {
    let lock = Mutex(())
    // unused: keeps each lock in its own cache line.
    private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)
  }

  private let state: UnsafeMutablePointer<State>
  private let stripes: UnsafeMutablePointer<Stripe>
  /// Roughly the number of threads that can read simultaneously; a power of two.
  private static var count: Int { 16 }

  package init(_ state: consuming State) {
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
    unsafe stripes = .allocate(capacity: Self.count)
    for index in 0..<Self.count { unsafe (stripes + index).initialize(to: Stripe()) }
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
    unsafe stripes.deinitialize(count: Self.count)
    unsafe stripes.deallocate()
  }

  func read<R>(_ body: (borrowing State) -> R) -> R {
    var result: R?
    read { result = body($0) }
    return result!
  }

  // Without a result, because the code that other modules call isn't specialized: a result of a type
  // that it doesn't know would cost more than the rest.
  package func read(_ body: (borrowing State) -> Void) {
    unsafe stripes[stripeOfThisThread].lock.withLock { _ in unsafe body(state.pointee) }
  }

  package func write<R>(_ body: (inout State) -> R) -> R {
    var result: R?
    withLocks(from: 0) { result = unsafe body(&state.pointee) }
    return result!
  }

  private func withLocks(from index: Int, _ body: () -> Void) {
    if index == Self.count { return body() }
    unsafe stripes[index].lock.withLock { _ in withLocks(from: index + 1, body) }
  }

  /// Chosen by the address of this thread's stack.
  private var stripeOfThisThread: Int {
    var here: UInt8 = 0
    let address = unsafe withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
    // Stacks lie at even distances, which this constant (2³² divided by the golden ratio) spreads.
    let spread = UInt32(truncatingIfNeeded: address >> 16) &* 0x9E37_79B9
    return Int(spread >> 28) & (Self.count - 1)
  }
}
