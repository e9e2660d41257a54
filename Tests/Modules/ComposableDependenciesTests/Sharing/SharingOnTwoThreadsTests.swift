import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies

/// The parts of sharing, each on two threads at once: a sanitizer sees what they leave unordered.
@Suite("Sharing on two threads")
struct SharingOnTwoThreadsTests {
  @Test("a store has one list of instances, whichever thread asks first, and frees any other one")
  func oneListOfInstances() {
    let owners = (0..<3_000).map { _ in StoreOwner(GlobalStore(usesTestValues: false)) }
    let results = onTwoThreads(rounds: 3_000) { round, _ -> (ObjectIdentifier?, Int) in
      var instances: SharedInstances?
      let blocks = Allocations { instances = owners[round].madeInstances }.remaining
      return (instances.map { ObjectIdentifier($0) }, blocks)
    }
    #expect(results.allSatisfy { $0.first.0 == $0.second.0 })
    // The first rounds make metadata.
    let blocks = results.dropFirst(10).map { $0.first.1 + $0.second.1 }
    #expect(blocks.max() == blocks.min())
  }

  @Test("a thread finds the list of instances that another thread has just made")
  func findingInstances() {
    let owners = (0..<1_000).map { _ in StoreOwner(GlobalStore(usesTestValues: false)) }
    let id = ObjectIdentifier(Override.key(0))
    onTwoThreads(rounds: 1_000) { round, isFirst in
      let instances = isFirst ? owners[round].madeInstances : owners[round].instances
      instances?.find(id, in: nil) { _ in }
    }
  }

  @Test(
    "a list of instances that come and go stays as small as what is in it",
    .enabled(if: Allocations.areCounted))
  func memoryOfLists() async {
    // In a process of its own, because bytes are counted for all threads.
    await #expect(processExitsWith: .success) {
      let original = Override.ofKey(0)
      let (instances, list) = (SharedInstances(over: .process), InputList([], next: nil))
      let before = Allocations.bytesInUse
      for number in 0..<60_000 {
        let instance = SharedInstance(
          original, identities: [UInt(number)], globals: [], inputs: list, in: instances)
        list.insert(instance)
        _ = list.remove(instance)
      }
      precondition(Allocations.bytesInUse - before < 100 << 10)
      withExtendedLifetime(instances) {}
    }
  }

  @Test("threads read what `make` reads while it ends")
  func tracking() {
    enum Key: SharedKey { static func make() -> Int { 0 } }
    enum First: DependencyKey { static var defaultValue: Int { 0 } }
    enum Second: DependencyKey { static var defaultValue: Int { 0 } }
    let scope = DependencyScope.isolated().with {
      $0[First.self] = 1
      $0[Second.self] = 1
    }
    let trackers = (0..<1_500).map { _ in InputTracker(of: Key.self, in: scope.node) }
    for tracker in trackers {
      _ = tracker.source(of: First.self, isRead: true)
      _ = tracker.source(of: Second.self, isRead: true)
    }
    onTwoThreads(rounds: 1_500) { round, isFirst in
      let tracker = trackers[round]
      if isFirst {
        if round % 3 == 0 { tracker.keep(scope.node.overrides[0]) }
        tracker.seal()
      } else {
        switch round % 5 {
        case 0: tracker.keep(scope.node.overrides[0])
        case 1: _ = tracker.inputs
        case 2: _ = tracker.scope
        case 3: _ = tracker.source(of: First.self, isRead: true)
        default:
          tracker.seal()
          _ = tracker.source(of: Second.self, isRead: true)
        }
      }
    }
  }
}
