/// A clock of a test.
package protocol ClockWithSleepers: AnyObject, Sendable {
  var sleepingTasks: [SleepingTask] { get }

  /// Fails the test over the tasks that sleep on the clock, and cancels them.
  func failSleepers(after limit: Duration)

  /// Ends all sleeps as if their tasks were cancelled.
  func cancelSleepers()
}
