internal import AllocationCounter
internal import RetainCounter

/// The blocks that an operation allocated and freed on this thread; `nil` if they can't be counted.
package struct Allocations: Equatable {
  package var allocated: Int
  package var freed: Int

  /// The blocks that the operation left allocated.
  package var remaining: Int { allocated - freed }

  /// The bytes that the process has allocated and not freed; 0 if unknown.
  package static var bytesInUse: Int { Int(bytes_in_use()) }

  package static var areCounted: Bool { allocations_are_counted() }

  package init(of operation: () -> Void) {
    let (allocated, freed) = (allocated_blocks(), freed_blocks())
    operation()
    self.allocated = allocated_blocks() - allocated
    self.freed = freed_blocks() - freed
  }

  /// Repeats an operation, and counts the blocks where it allocated the fewest.
  ///
  /// What an operation allocates itself, it allocates every time. The runtime sometimes allocates
  /// beside it, for example where the metadata of a type is looked up while another thread adds some.
  package static func fewest(of operation: () -> Void) -> Allocations {
    (0..<10).map { _ in Allocations(of: operation) }.min { $0.allocated < $1.allocated }!
  }
}

/// Counts the objects that code retains on this thread.
package enum Retains {
  package static var areCounted: Bool { retains_are_counted() }

  /// Returns how often an operation retains an object; 0 if that can't be counted.
  package static func count(in operation: () -> Void) -> Int {
    let before = retained_objects()
    operation()
    return Int(retained_objects() - before)
  }
}
