internal import AllocationCounter

/// What an operation allocated and freed on this thread; nothing where that cannot be counted.
public struct Allocations: Equatable {
  public var allocated: Int
  public var freed: Int

  /// Blocks that the operation left behind.
  public var remaining: Int { allocated - freed }

  public static var areCounted: Bool { allocations_are_counted() }

  public init(of operation: () -> Void) {
    let (allocated, freed) = (allocated_blocks(), freed_blocks())
    operation()
    self.allocated = allocated_blocks() - allocated
    self.freed = freed_blocks() - freed
  }
}
