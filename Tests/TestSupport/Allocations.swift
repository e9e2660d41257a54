internal import AllocationCounter

/// What an operation allocated and freed on this thread; nothing where that cannot be counted.
package struct Allocations: Equatable {
  package var allocated: Int
  package var freed: Int

  /// Blocks that the operation left behind.
  package var remaining: Int { allocated - freed }

  /// Bytes that the process has allocated and not freed; 0 where that is not known.
  package static var bytesInUse: Int { Int(bytes_in_use()) }

  package static var areCounted: Bool { allocations_are_counted() }

  package init(of operation: () -> Void) {
    let (allocated, freed) = (allocated_blocks(), freed_blocks())
    operation()
    self.allocated = allocated_blocks() - allocated
    self.freed = freed_blocks() - freed
  }
}
