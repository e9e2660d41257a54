import Testing

@testable import TestRuntime

@Suite("Boundaries in a step")
struct BoundaryTests {
  // Small numbers stand for actors that aren't objects.
  private func actors(_ boundaries: inout Boundaries) -> (own: Int, shared: Int) {
    let own = boundaries.visit(1, by: 10)
    let shared = boundaries.visit(2, by: 10)
    let again = (own: boundaries.visit(1, by: 10), shared: boundaries.visit(2, by: 11))
    #expect(again == (own, shared) && own != shared)
    return (own, shared)
  }

  @Test("an actor is a task's own until another task, or one that isn't known, visits it")
  func own() {
    var boundaries = Boundaries()
    let (own, shared) = actors(&boundaries)
    #expect(boundaries.isOwn(own, of: 10) && !boundaries.isOwn(own, of: 11))
    #expect(!boundaries.isOwn(shared, of: 10))
    _ = boundaries.visit(1, by: 0)
    #expect(!boundaries.isOwn(own, of: 10))
    let unknown = (boundaries.visit(3, by: 0), boundaries.visit(3, by: 0))
    #expect(unknown.0 == unknown.1 && !boundaries.isOwn(unknown.0, of: 0))
  }

  private final class Object {}

  private func address(of object: Object?) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object!).toOpaque())
  }

  @Test("another actor may replace one at its address, unless that may still live")
  func addresses() {
    var boundaries = Boundaries()
    var (object, other) = (Object(), Object()) as (Object?, Object?)
    let addresses = (address(of: object), address(of: other))
    let first = boundaries.visit(addresses.0, by: 10, job: true)
    let again = boundaries.visit(addresses.0, by: 11, job: true)
    let unknown = boundaries.visit(addresses.1, by: 10)
    #expect(again == first && unknown != first)
    withExtendedLifetime((object, other)) {}
    (object, other) = (nil, nil)
    // A task without a job may be in the actor that it has visited before.
    #expect(boundaries.visit(addresses.0, by: 10) == first)
    #expect(boundaries.visit(addresses.0, by: 11) != first)
    // No job has said that this is an object, so nobody knows when it's freed.
    #expect(boundaries.visit(addresses.1, by: 11) == unknown)
    let number = boundaries.visit(0xFF, by: 10, job: true)
    #expect(boundaries.visit(0xFF, by: 11, job: true) == number)
  }

  @Test("where a task goes on to a shared actor is noticed, but not where it stays")
  func visits() {
    var boundaries = Boundaries()
    let (own, shared) = actors(&boundaries)
    let toOwn = boundaries.add(choice: 3, on: nil, leaves: false)
    let toShared = boundaries.add(choice: 5, on: own, leaves: false)
    let stays = boundaries.add(choice: 7, on: shared, leaves: false)
    #expect(boundaries.unnoticed == [3, 5, 7])
    boundaries.visit(own, after: [toOwn])
    boundaries.visit(shared, after: [toShared, stays])
    #expect(boundaries.unnoticed == [3, 7])
    // It comes back.
    boundaries.visit(shared, after: [stays])
    #expect(boundaries.unnoticed == [3])
    boundaries.confirm(toOwn)
    #expect(boundaries.unnoticed == [])
  }

  @Test("where a task leaves an actor is noticed if others visit that")
  func leaving() {
    var boundaries = Boundaries()
    let (own, shared) = actors(&boundaries)
    let leavesOwn = boundaries.add(choice: 0, on: own, leaves: true)
    let leavesShared = boundaries.add(choice: 1, on: shared, leaves: true)
    let stays = boundaries.add(choice: 2, on: shared, leaves: false)
    #expect(boundaries.leaves(leavesShared) && !boundaries.leaves(stays))
    boundaries.confirm(leavesOwn)
    #expect(boundaries.unnoticed == [0, 1, 2])
    boundaries.confirm(leavesShared)
    #expect(boundaries.unnoticed == [0, 2])
  }

  @Test("a yield after a task has left its actor tells whether it stays away")
  func yields() {
    var boundaries = Boundaries()
    let (own, shared) = actors(&boundaries)
    for (choice, actor) in [shared, own, nil].enumerated() {
      var open = [boundaries.add(choice: choice, on: shared, leaves: true)]
      boundaries.yield(10, after: &open)
      #expect(open == [])
      boundaries.endYield(of: 10, on: actor)
      // Only the first counts.
      boundaries.endYield(of: 10)
    }
    #expect(boundaries.unnoticed == [0])
    var open = [boundaries.add(choice: 3, on: shared, leaves: false)]
    boundaries.yield(10, after: &open)
    #expect(open.count == 1)
  }
}
