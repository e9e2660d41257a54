internal import ComposableDependencies
internal import Synchronization

/// One case of an enum, identified by its constructor and extracted by its tag.
///
/// Metadata lists the cases with the constructor's payload type. The root that the constructor
/// makes from the first available payload decides which case it is, and whether it is one at all.
/// From then on, extracting compares the tag and copies the payload.
@usableFromInline
struct ReflectedCase<Root, Value>: Sendable {
  private let constructor: @Sendable (Value) -> Root
  @usableFromInline let choice: CaseChoice

  @usableFromInline
  init(_ constructor: @escaping @Sendable (Value) -> Root) {
    self.constructor = constructor
    choice = CaseChoice(CaseReflection.candidates(for: Value.self, in: Root.self))
  }

  @usableFromInline
  func embed(_ value: Value) -> Root {
    let root = constructor(value)
    if choice.isUnknown { settle(by: root, of: value) }
    return root
  }

  @inlinable
  func extract(from root: Root) -> Value? {
    if let location = choice.settled { return location.extract(Value.self, from: root) }
    return extractUnsettled(from: root)
  }

  @usableFromInline
  func extractUnsettled(from root: Root) -> Value? {
    guard choice.isUnknown else {
      // Another thread may have settled it meanwhile.
      return choice.settled?.extract(Value.self, from: root)
    }
    for candidate in choice.candidates {
      if let value = candidate.extract(Value.self, from: root) {
        settle(by: constructor(value), of: value)
        return choice.settled?.extract(Value.self, from: root)
      }
    }
    return nil
  }

  /// Decides which case it is, with a root that the constructor made from a value.
  private func settle(by root: Root, of value: Value) {
    var index: Int?
    for (candidate, location) in choice.candidates.enumerated() {
      guard let extracted = location.extract(Value.self, from: root) else { continue }
      let isSame = Self.isSame(extracted, value)
      if isSame == true {
        index = candidate
        break
      }
      // Undecidable: take the first candidate, which is the outermost one.
      if isSame == nil && index == nil { index = candidate }
    }
    if choice.settle(index) && index == nil {
      CaseReflection.report(
        "its operand isn't a case with that payload, or it changes the value that it embeds",
        Root.self, Value.self)
    }
  }

  /// Whether two values are the same; `nil` if only a missing `==` could tell.
  private static func isSame(_ value: Value, _ other: Value) -> Bool? {
    // Sound: padding bytes are arbitrary, so only equal bytes are conclusive.
    let areBytesEqual = unsafe withUnsafeBytes(of: value) { bytes in
      unsafe withUnsafeBytes(of: other) { unsafe bytes.elementsEqual($0) }
    }
    if areBytesEqual { return true }
    if let equatable = value as? any Equatable { return areEqual(equatable, other) }
    return areDifferentCases(value, other) ? false : nil
  }

  /// Whether two values are different cases of an enum, or have such payloads of their own type.
  private static func areDifferentCases(_ value: Value, _ other: Value) -> Bool {
    var (value, other) = (value, other)
    // A limit, because a custom mirror may never end. No value in practice is that deep.
    for _ in 0..<64 {
      guard let tag = TypeMetadata.tag(of: value) else { return false }
      if tag != TypeMetadata.tag(of: other) { return true }
      guard
        let inner = Mirror(reflecting: value).children.first?.value as? Value,
        let otherInner = Mirror(reflecting: other).children.first?.value as? Value
      else { return false }
      (value, other) = (inner, otherInner)
    }
    return false
  }
}

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
