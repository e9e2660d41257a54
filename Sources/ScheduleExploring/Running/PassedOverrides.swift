package import ComposableDependencies
internal import DependencyDebugging
internal import Synchronization
internal import TestRuntime
internal import Testing

/// The overrides of a test, or of one of its schedules, around code that reads their keys' defaults.
package final class PassedOverrides: Sendable {
  private struct State {
    /// The first override of a key at each place that a read of the default has passed.
    var passed: [String: Passed] = [:]
    /// The keys whose defaults are reported.
    var leftOut: Set<ObjectIdentifier> = []
  }

  private struct Passed {
    let override: Origin
    let reader: SourceStack?
  }

  private let state = Mutex(State())

  package init() {}

  /// Begins to note the overrides of a module that reads of defaults pass, over a scope's global store.
  package func begin(of module: String, in scope: DependencyScope) {
    scope.listenToPassedOverrides { [weak self] origin in
      // Overrides of the program are as it wants them.
      guard "\(origin.place.fileID)".prefix(while: { $0 != "/" }) == module else { return }
      let id = "\(origin.place) \(origin.key)"
      guard let self, state.withLock({ $0.passed[id] })?.override.wasRead != false else { return }
      let new = Passed(override: origin, reader: .captureCaller())
      state.withLock { $0.passed[id] = new }
    }
  }

  /// Doesn't report the overrides of a key, because its default is reported.
  ///
  /// - Returns: Whether a read passed one of them.
  package func leaveOut(_ key: any DependencyKey.Type) -> Bool {
    state.withLock { state in
      state.leftOut.insert(ObjectIdentifier(key))
      return state.passed.values.contains { $0.override.key == key }
    }
  }

  /// Fails the test over each override that nothing read while an older object read the default.
  package func report() {
    let passed = state.withLock { state in
      defer { state.passed = [:] }
      return state.passed.filter {
        !$0.value.override.wasRead
          && !state.leftOut.contains(ObjectIdentifier($0.value.override.key))
      }
    }
    for (_, passed) in passed.sorted(by: { $0.key < $1.key }) {
      let override = passed.override
      let (name, property) = (
        PropertyNames.text(of: override.key), PropertyNames.name(of: override.key) ?? "…"
      )
      TestFailure.record(
        """
        The override of \(name) reaches nothing. The object that reads it was created before, and so \
        reads its default.
          Instead: create the object inside the operation. Or override the dependency for the object, \
        as in `environment.with(\\.\(property), …)`.\(passed.reader?.callerLine ?? "")
        """, at: SourceLocation(override.place))
    }
  }
}

/// The passed overrides of the test, or of the schedule, that a scope was created for.
private enum PassedOverridesKey: UnrecordedKey {
  static var defaultValue: PassedOverrides? { nil }
}

extension Dependencies {
  package var passedOverrides: PassedOverrides? {
    get { self[PassedOverridesKey.self] }
    set { self[PassedOverridesKey.self] = newValue }
  }
}
