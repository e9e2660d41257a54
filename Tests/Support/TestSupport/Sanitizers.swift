internal import AllocationCounter
internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Leaves out a suite that takes too long under a sanitizer, and finds little there.
  ///
  /// Random programs run there too if `PROGRAMS` says how many.
  package static var tooLongUnderSanitizers: Self {
    .enabled(
      if: !is_sanitized() || ProcessInfo.processInfo.environment["PROGRAMS"] != nil,
      "It takes too long under a sanitizer.")
  }
}
