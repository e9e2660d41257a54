internal import ComposableDependencies
internal import DependencyDebugging
internal import Synchronization
internal import TestRuntime
internal import Testing

/// Whether anything read the overrides of one trait, in all the tests that have the trait.
final class OverrideUse: Sendable {
  private struct Use {
    let key: any DependencyKey.Type
    let place: SourcePlace
    var wasRead: Bool
  }

  private let uses = Mutex<[ObjectIdentifier: Use]>([:])

  /// Adds what was read in one case of a test.
  func add(_ overrides: [Origin]) {
    let lost = LostReads.keysOfTest
    uses.withLock { uses in
      for override in overrides {
        let id = ObjectIdentifier(override.key)
        let wasRead = override.wasRead || lost.contains(id) || uses[id]?.wasRead == true
        uses[id] = Use(key: override.key, place: override.place, wasRead: wasRead)
      }
    }
  }

  /// Fails a test over each override that nothing read.
  ///
  /// - Parameter owner: What overrides the dependencies, as the subject of a sentence.
  func report(of owner: String, readers: String, at location: SourceLocation) {
    let unused = uses.withLock { $0.values.filter { !$0.wasRead } }
    for use in unused.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      let dependency = PropertyNames.text(of: use.key)
      TestFailure.record(
        """
        \(owner) overrides \(dependency), but \(readers) reads it.
          Instead: remove the override. If the code should read it, it may read the default of another \
        dependency, or have lost its scope.
          The value of \(dependency) is an override, set at \(use.place).
        """, at: location)
    }
  }

  /// Fails the test over overrides of a call of `withTestDependencies` that nothing read.
  func report(at place: SourcePlace) {
    report(of: "`withTestDependencies`", readers: "nothing", at: SourceLocation(place))
  }
}
