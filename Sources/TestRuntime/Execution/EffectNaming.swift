/// A store that knows which effect a task belongs to.
package protocol EffectNaming: AnyObject, Sendable {
  /// Describes the effect of a sleeping task; `nil` if it is none of this store.
  func effect(of task: SleepingTask) -> String?

  /// Fails the test over the running effects, because the test has ended.
  func failOverRunningEffects()
}
