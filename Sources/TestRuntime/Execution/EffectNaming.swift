/// A store that knows which effect a task belongs to, and what a test has left in it.
package protocol EffectNaming: AnyObject, Sendable {
  /// Describes the effect of a sleeping task; `nil` if it is none of this store.
  func effect(of task: SleepingTask) -> String?

  /// Fails the test over received actions and running effects, because the test has ended.
  func failIfUnfinished()
}
