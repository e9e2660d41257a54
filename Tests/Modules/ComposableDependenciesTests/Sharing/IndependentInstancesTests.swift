import Testing

@testable import ComposableDependencies

@Suite("Instances made from nothing")
struct IndependentInstancesTests {
  private final class Identity {}

  @Test("the first instance of a slot is found by its key, and calls for no other")
  func found() {
    let identities = (0..<200).map { _ in Identity() }
    let nodes = identities.map { OverrideNode(id: ObjectIdentifier($0)) }
    let instances = IndependentInstances()
    func find(_ node: OverrideNode) -> OverrideNode? {
      var found: OverrideNode?
      let isFound = instances.find(node.id) { found = $0 }
      #expect(isFound == (found != nil))
      return found
    }
    for node in nodes { #expect(find(node) == nil) }
    instances.insert(nodes[0])
    #expect(find(nodes[0]) === nodes[0])
    for node in nodes.dropFirst() { #expect(find(node) == nil) }
    for node in nodes { instances.insert(node) }
    #expect(find(nodes[0]) === nodes[0])
    let kept = nodes.filter { find($0) != nil }
    #expect(kept.allSatisfy { find($0) === $0 })
    // So many fill all slots, in all likelihood.
    #expect((16...32).contains(kept.count))
  }
}
