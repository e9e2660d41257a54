internal import TestRuntime
package import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves out tests of orders that only a runtime of a known version shows, and says what this one doesn't show.
  package static var needsWholeSight: Self {
    .enabled(
      if: RuntimeSight.ofProcess.isWhole, Comment(rawValue: RuntimeSight.ofProcess.gap ?? ""))
  }

  /// Leaves out tests that rest on tasks that yield, and says what this runtime doesn't show.
  package static var needsYields: Self {
    .enabled(if: showsYields, Comment(rawValue: RuntimeSight.ofProcess.gap ?? ""))
  }

  /// Leaves out tests of warnings that a test records.
  package static var needsWarnings: Self {
    .enabled(
      if: recordsWarnings, "This version of Swift prints warnings instead of recording them.")
  }
}

/// Whether tasks that yield stay in the order of their test.
package let showsYields = RuntimeSight.ofProcess.yields

/// Whether a test records warnings, which came with Swift 6.3, instead of printing them.
#if compiler(>=6.3)
  package let recordsWarnings = true
#else
  package let recordsWarnings = false
#endif
