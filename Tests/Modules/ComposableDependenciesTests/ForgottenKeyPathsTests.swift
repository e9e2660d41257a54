import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Known key paths")
struct ForgottenKeyPathsTests {
  @Test("key paths that are gone are forgotten", .enabled(if: Allocations.areCounted))
  func forgotten() {
    let member = ManyKeys.first(1)[0]
    func learn() {
      // All at once, or a new one would lie where the one before was.
      let keyPaths = (0..<2000).map { _ in \Dependencies[member: member] }
      for keyPath in keyPaths { #expect(OwnKey.of(keyPath) != nil) }
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
      for keyPath in keyPaths { #expect(OwnKey.of(keyPath) != nil) }
    }
    learn()
    let forgetting = Allocations { Dependencies.forgetKeyPathsThatAreGone() }
    #expect(forgetting.freed >= 50)
  }
}
