internal import Synchronization

/// The cases that a path may stand for, and the one that it does.
@usableFromInline
final class CaseChoice: Sendable {
  let candidates: [CaseLocation]

  /// An index, -1 for unknown, or -2 for rejected.
  ///
  /// Every thread computes the same result, so relaxed ordering is enough.
  private let decision: Atomic<Int>

  init(_ candidates: [CaseLocation]) {
    self.candidates = candidates
    decision = Atomic(candidates.isEmpty ? -2 : -1)
  }

  /// The case, if it is known.
  @usableFromInline var settled: CaseLocation? {
    let decision = decision.load(ordering: .relaxed)
    return decision < 0 ? nil : candidates[decision]
  }

  var isUnknown: Bool { decision.load(ordering: .relaxed) == -1 }

  /// Decides once; `nil` rejects all cases.
  ///
  /// - Returns: Whether this was the first decision.
  func settle(_ index: Int?) -> Bool {
    decision.compareExchange(expected: -1, desired: index ?? -2, ordering: .relaxed).exchanged
  }
}
