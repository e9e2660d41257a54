internal import ValueDifferences

/// Chooses where a store's effects run, and is notified of each of their tasks.
///
/// Only a test's store has one. Without one, effects run as ordinary tasks.
package protocol EffectSupervisor: AnyObject, Sendable {
  /// Called before a task starts, by the code that starts it.
  func willStart(_ task: ObjectIdentifier, of origin: EffectOrigin)

  /// Returns the executor of a task.
  func executor(of task: ObjectIdentifier) -> any TaskExecutor

  /// Called in a task that has started, unless it runs a part of another task's operation.
  func didStart(_ task: ObjectIdentifier)

  /// Called in a task that is about to end, after the actions that it sent are reduced, and before
  /// anything that waits for it continues.
  func didFinish(_ task: ObjectIdentifier)

  /// Called before tasks are cancelled because of their identifier, or aren't, because it is another
  /// child's.
  ///
  /// - Parameter action: The action whose reducer names the identifier.
  func willCancel(_ tasks: [ObjectIdentifier], by action: any Sendable, isReached: Bool)
}

/// The origin of an effect.
package struct EffectOrigin: Sendable {
  /// The action whose reducer returned the effect, as the store knows it.
  package let action: any Sendable

  /// The source place of its operation.
  package let place: SourcePlace
}

extension EffectOrigin: CustomStringConvertible {
  package var description: String {
    "effect of \(short(action)), created at \(place.fileID):\(place.line)"
  }
}
