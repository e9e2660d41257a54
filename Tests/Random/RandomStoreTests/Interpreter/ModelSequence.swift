/// Parts of an effect that run one after the other, according to the rules.
final class ModelSequence {
  typealias Part = (EffectContext) -> Void

  /// Stands for the sequence among the tasks that can be cancelled.
  let token: ModelTask
  /// The context of the whole sequence.
  let context: EffectContext
  /// The parts that haven't begun.
  var parts: [Part]
  /// The runs in them.
  var lanes: Set<Int>
  /// How many tasks and actions of the current part haven't ended.
  var members = 0
  var isPreparing = false

  init(_ token: ModelTask, _ context: EffectContext, lanes: [Int], _ parts: [Part]) {
    self.token = token
    self.context = context
    self.lanes = Set(lanes)
    self.parts = parts
  }
}
