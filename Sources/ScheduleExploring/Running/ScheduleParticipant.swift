package import ComposableDependencies

/// What takes part in each schedule of a test, such as a trait that overrides dependencies.
package protocol ScheduleParticipant: Sendable {
  /// Extends the scope of a schedule that is about to run.
  ///
  /// - Parameter isReported: Whether the schedule's issues are reported as usual.
  /// - Returns: The scope, and what to call after the schedule.
  func join(
    _ scope: DependencyScope, isReported: Bool
  ) -> (scope: DependencyScope, leave: @Sendable () -> Void)
}

/// What takes part in the schedules that code in a scope explores.
package enum ScheduleParticipantKey: UnrecordedKey {
  package static var defaultValue: (any ScheduleParticipant)? { nil }
}

extension Dependencies {
  package var scheduleParticipant: (any ScheduleParticipant)? {
    get { self[ScheduleParticipantKey.self] }
    set { self[ScheduleParticipantKey.self] = newValue }
  }
}
