internal import TestRuntime
package import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves out tests of orders that only a runtime of a known version shows, and says what this one doesn't show.
  package static var needsWholeSight: Self {
    .enabled(
      if: RuntimeSight.ofProcess.isWhole, Comment(rawValue: RuntimeSight.ofProcess.gap ?? ""))
  }
}
