internal import Synchronization

/// One case of an enum, known by its constructor and found again by reflection.
///
/// Reflection proposes a payload; the tag of what the constructor makes of it disposes. From then
/// on the case's tag is known, and no other case is reflected.
struct ReflectedCase<Root, Value>: Sendable {
  private let embed: @Sendable (Value) -> Root?
  private let known: KnownTags

  /// The extraction that undoes a case's constructor.
  static func extraction(
    embed: @escaping @Sendable (Value) -> Root?
  ) -> @Sendable (Root) -> Value? {
    let known = KnownTags()
    return { root in
      guard let tag = TypeMetadata.tag(of: root), known.mayBe(tag) else { return nil }
      return ReflectedCase(embed: embed, known: known).extract(from: root, in: tag)
    }
  }

  // Apart, because making room for a payload of unknown size costs more than looking at the tag.
  @inline(never)
  private func extract(from root: Root, in rootTag: UInt32) -> Value? {
    guard let value = payload(of: root) else {
      known.ruleOut(rootTag)
      return nil
    }
    // Asked again: another thread may have found the tag since, and it may not be this one.
    if let certain = known.certain { return certain == rootTag ? value : nil }
    guard let ownTag = embed(value).flatMap({ TypeMetadata.tag(of: $0) }) else { return nil }
    known.settle(ownTag)
    return ownTag == rootTag ? value : nil
  }

  private func payload(of root: Root) -> Value? {
    // A statement of its own: inside of a closure the compiler does not open the payload's type.
    guard let payload = Mirror(reflecting: root).children.first else { return nil }
    return exactly(payload.value)
  }

  /// The payload as a `Value`, where that is its declared type, but for labels.
  ///
  /// The parameter is opened with the type that the case declares, be it an existential or an
  /// optional, and not with the type of what is in there; a cast would look through both.
  private func exactly<Payload>(_ payload: Payload) -> Value? {
    if Payload.self == Value.self { return (payload as! Value) }
    guard TypeMetadata.areSame(Payload.self, Value.self) else { return nil }
    // Sound: tuples of the same types are laid out the same, and a tuple of one as its element.
    return unsafe unsafeBitCast(payload, to: Value.self)
  }
}

/// What is known of a case's tag.
///
/// Both words only ever gain what any thread would find out itself, so relaxed order is enough.
final class KnownTags: Sendable {
  private let tag = Atomic<Int64>(-1)

  // The tags under 64 whose payloads cannot be of the type, so that a case that is never met does
  // not make every other one pay for reflection.
  private let ruledOut = Atomic<UInt64>(0)

  /// The case's tag, once it is found.
  var certain: UInt32? {
    let tag = tag.load(ordering: .relaxed)
    return tag < 0 ? nil : UInt32(tag)
  }

  func mayBe(_ candidate: UInt32) -> Bool {
    if let certain { return certain == candidate }
    return candidate >= 64 || ruledOut.load(ordering: .relaxed) & (1 << candidate) == 0
  }

  func settle(_ tag: UInt32) {
    self.tag.store(Int64(tag), ordering: .relaxed)
  }

  func ruleOut(_ tag: UInt32) {
    if tag < 64 { ruledOut.bitwiseOr(1 << tag, ordering: .relaxed) }
  }
}
