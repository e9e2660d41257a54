import Synchronization
import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Known key paths", .serialized)
struct ForgottenKeyPathsTests {
  @Test("key paths that are gone are forgotten", .enabled(if: Allocations.areCounted))
  func forgotten() {
    let member = ManyKeys.first(1)[0]
    func learn() {
      // All at once, or a new one would lie where the one before was.
      let keyPaths = (0..<2000).map { _ in \Dependencies[member: member] }
      for keyPath in keyPaths { #expect(PropertyKey.of(keyPath) != nil) }
    }
    learn()
    Dependencies.forgetKeyPathsThatAreGone()
    let blocks = Allocations {
      learn()
      Dependencies.forgetKeyPathsThatAreGone()
    }.remaining
    #expect(blocks < 1000)
  }

  @Test(
    "a few key paths that are gone are forgotten on demand", .enabled(if: Allocations.areCounted))
  func forgottenOnDemand() {
    let member = ManyKeys.first(1)[0]
    func learn() {
      let keyPaths = (0..<50).map { _ in \Dependencies[member: member] }
      for keyPath in keyPaths { #expect(PropertyKey.of(keyPath) != nil) }
    }
    learn()
    let forgetting = Allocations { Dependencies.forgetKeyPathsThatAreGone() }
    #expect(forgetting.freed >= 50)
  }

  @Test(
    "key paths that are gone are forgotten as others become known",
    .enabled(if: Allocations.areCounted))
  func forgottenMeanwhile() {
    let members = ManyKeys.first(2)
    // They lie where those were that are gone, so that the next ones lie elsewhere.
    var others: [any AnyKeyPath & Sendable] = []
    for _ in 0..<40 {
      do {
        let keyPaths = (0..<500).map { _ in \Dependencies[member: members[0]] }
        for keyPath in keyPaths { #expect(PropertyKey.of(keyPath) != nil) }
      }
      for _ in 0..<600 { others.append(\Dependencies[member: members[1]]) }
    }
    let forgetting = Allocations { Dependencies.forgetKeyPathsThatAreGone() }
    #expect(forgetting.freed < 10_000)
    #expect(others.count == 24_000)
  }

  @Test("threads learn, look up and forget key paths at once")
  func onThreads() {
    let member = ManyKeys.first(1)[0]
    let results = onTwoThreads(rounds: 500) { round, isFirst in
      if isFirst, round % 3 == 0 {
        Dependencies.forgetKeyPathsThatAreGone()
        return true
      }
      let keyPath = \Dependencies[member: member]
      let (key, again) = (PropertyKey.of(keyPath), PropertyKey.of(keyPath))
      return key != nil && again == key
    }
    #expect(results.allSatisfy { $0.first && $0.second })
  }

  @Test("finding the key of a property computes no test value")
  func noTestValue() {
    #expect(PropertyKey.of(\Dependencies.withTestValue) != nil)
    #expect(timesTested.withLock { $0 } == 0)
  }
}

private let timesTested = Mutex(0)

private enum TestValueKey: DependencyKey {
  static var defaultValue: Int { 0 }
  static var testValue: Int {
    timesTested.withLock { $0 += 1 }
    return 0
  }
}

extension Dependencies {
  fileprivate var withTestValue: Int {
    get { self[TestValueKey.self] }
    set { self[TestValueKey.self] = newValue }
  }
}
