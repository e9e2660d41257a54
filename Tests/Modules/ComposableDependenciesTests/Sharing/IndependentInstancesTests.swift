import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Instances made from nothing")
struct IndependentInstancesTests {
  @Test("the first instance of a slot is found by its key, and calls for no other")
  func found() {
    let nodes = (0..<200).map { Override.ofKey($0) }
    let instances = IndependentInstances()
    func find(_ node: Override) -> Override? {
      var found: Override?
      let isFound = instances.find(node.id) { found = $0.object }
      #expect(isFound == (found != nil))
      return found
    }
    for node in nodes { #expect(find(node) == nil) }
    instances.insert(Unowned(nodes[0]))
    #expect(find(nodes[0]) === nodes[0])
    for node in nodes.dropFirst() { #expect(find(node) == nil) }
    for node in nodes { instances.insert(Unowned(node)) }
    #expect(find(nodes[0]) === nodes[0])
    let kept = nodes.filter { find($0) != nil }
    #expect(kept.allSatisfy { find($0) === $0 })
    // So many fill all slots, in all likelihood.
    #expect((16...32).contains(kept.count))
  }

  @Test("a thread finds all of an instance that another thread has just made")
  func onThreads() {
    /// Lets threads share what can't be copied.
    final class Shared: Sendable {
      let instances = IndependentInstances()
    }
    let all = (0..<1_000).map { _ in Shared() }
    let results = onTwoThreads(rounds: 1_000) { round, isFirst -> Override? in
      let id = ObjectIdentifier(Override.key(round))
      var found: Override?
      if isFirst {
        let node = Override.ofKey(round)
        all[round].instances.insert(Unowned(node))
        found = node
      } else {
        _ = all[round].instances.find(id) { if $0.id == id { found = $0.object } }
      }
      return found
    }
    #expect(results.allSatisfy { $0.second == nil || $0.second === $0.first })
  }
}
