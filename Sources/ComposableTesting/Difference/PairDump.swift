/// Writes two values, without large parts that are equal.
struct PairDump {
  private var dump: Dump
  private(set) var old = DumpOutput()
  private(set) var new = DumpOutput()

  /// Smaller collections are written completely.
  private static let smallCount = 200
  /// The maximum number of lines of an equal part.
  private static let equalLimit = 1000
  /// The number of elements to write next to those that differ.
  private static let context = 2

  init(_ old: Any, _ new: Any, usesDescriptions: Bool) {
    dump = Dump(usesDescriptions: usesDescriptions)
    write(old, new, at: DumpPlace())
  }

  private mutating func write(_ lhs: Any, _ rhs: Any, at place: DumpPlace) {
    if place.depth > 0, areEqual(lhs, rhs) { return writeEqual(lhs, at: place) }
    let (left, right) = (Mirror(reflecting: lhs), Mirror(reflecting: rhs))
    guard type(of: lhs) == type(of: rhs), left.displayStyle == right.displayStyle,
      place.depth < Dump.depthLimit
    else { return writeApart(lhs, rhs, at: place) }
    let isLarge = max(left.children.count, right.children.count) > Self.smallCount
    switch left.displayStyle {
    case .collection where isLarge:
      writeElements(left.children.map(\.value), right.children.map(\.value), at: place)
    case .set where isLarge:
      writeMembers(lhs, rhs, at: place)
    case .dictionary where isLarge:
      writePairs(lhs, rhs, at: place)
    case .collection where left.children.count == right.children.count && !left.children.isEmpty:
      append("[", at: place, isEnd: false)
      for (lhs, rhs) in zip(left.children, right.children) {
        write(lhs.value, rhs.value, at: place.part())
      }
      append("]", at: place, isStart: false)
    case .enum where left.children.count == 1 && right.children.count == 1:
      writeCases(left.children.first!, right.children.first!, lhs, rhs, at: place)
    case .optional where left.children.count == 1 && right.children.count == 1:
      write(left.children.first!.value, right.children.first!.value, at: place)
    case .struct where dump.hasParts(lhs, left) && left.children.count == right.children.count:
      append("\(type(of: lhs))(", at: place, isEnd: false)
      for (lhs, rhs) in zip(left.children, right.children) {
        write(lhs.value, rhs.value, at: place.part(Dump.prefix(lhs.label)))
      }
      append(")", at: place, isStart: false)
    default:
      writeApart(lhs, rhs, at: place)
    }
  }

  /// Writes a part that both values have, or `…` if it is too long.
  private mutating func writeEqual(_ value: Any, at place: DumpPlace) {
    var part = old.part(limit: Self.equalLimit)
    dump.write(value, to: &part, at: place)
    if part.isCut { return append("…", at: place) }
    old.append(part)
    new.append(part)
  }

  /// Writes the payloads side by side, if the cases are the same.
  private mutating func writeCases(
    _ left: Mirror.Child, _ right: Mirror.Child, _ lhs: Any, _ rhs: Any, at place: DumpPlace
  ) {
    let (leftParts, rightParts) = (Dump.payload(left.value), Dump.payload(right.value))
    guard let label = left.label, label == right.label, leftParts.count == rightParts.count else {
      return writeApart(lhs, rhs, at: place)
    }
    append(".\(label)(", at: place, isEnd: false)
    for (left, right) in zip(leftParts, rightParts) {
      write(left.value, right.value, at: place.part(Dump.prefix(left.label)))
    }
    append(")", at: place, isStart: false)
  }

  private mutating func writeApart(_ lhs: Any, _ rhs: Any, at place: DumpPlace) {
    dump.write(lhs, to: &old, at: place)
    dump.write(rhs, to: &new, at: place)
  }

  private mutating func append(
    _ line: String, at place: DumpPlace, isStart: Bool = true, isEnd: Bool = true
  ) {
    old.append(line, at: place, isStart: isStart, isEnd: isEnd)
    new.append(line, at: place, isStart: isStart, isEnd: isEnd)
  }

  private mutating func skip(_ count: Int, at place: DumpPlace) {
    guard count > 0 else { return }
    let place = DumpPlace(depth: place.depth + 1)
    old.appendOmission(of: count, at: place)
    new.appendOmission(of: count, at: place)
  }

  private mutating func writeElements(_ lhs: [Any], _ rhs: [Any], at place: DumpPlace) {
    append("[", at: place, isEnd: false)
    if lhs.count == rhs.count {
      writeRuns(lhs, rhs, at: place)
    } else {
      let start = zip(lhs, rhs).prefix { areEqual($0, $1) }.count
      let end = zip(lhs[start...].reversed(), rhs[start...].reversed())
        .prefix { areEqual($0, $1) }.count
      writeRuns(Array(lhs[..<start]), Array(rhs[..<start]), at: place)
      for value in lhs[start..<(lhs.count - end)] where !old.isFull() {
        dump.write(value, to: &old, at: place.part())
      }
      for value in rhs[start..<(rhs.count - end)] where !new.isFull() {
        dump.write(value, to: &new, at: place.part())
      }
      writeRuns(lhs.suffix(end), rhs.suffix(end), at: place)
    }
    append("]", at: place, isStart: false)
  }

  /// Writes elements side by side, omitting those far from a difference and from the end.
  private mutating func writeRuns(_ lhs: [Any], _ rhs: [Any], at place: DumpPlace) {
    var next = 0
    while next < lhs.count, !old.isFull() {
      let same = zip(lhs[next...], rhs[next...]).prefix { areEqual($0, $1) }.count
      let end = next + same
      let isLong = same > 2 * Self.context + 1
      let skipped = isLong ? (next + Self.context)..<(end - Self.context) : end..<end
      for index in next..<skipped.lowerBound { write(lhs[index], rhs[index], at: place.part()) }
      skip(skipped.count, at: place)
      for index in skipped.upperBound..<end { write(lhs[index], rhs[index], at: place.part()) }
      if end < lhs.count { write(lhs[end], rhs[end], at: place.part()) }
      next = end + 1
    }
  }

  private mutating func writeMembers(_ lhs: Any, _ rhs: Any, at place: DumpPlace) {
    guard let left = lhs as? Set<AnyHashable>, let right = rhs as? Set<AnyHashable> else {
      return writeApart(lhs, rhs, at: place)
    }
    let same = left.intersection(right).count
    append("[", at: place, isEnd: false)
    skip(same, at: place)
    dump.writeSorted(left.subtracting(right).map(\.base), to: &old, at: place)
    dump.writeSorted(right.subtracting(left).map(\.base), to: &new, at: place)
    append("]", at: place, isStart: false)
  }

  private mutating func writePairs(_ lhs: Any, _ rhs: Any, at place: DumpPlace) {
    guard let left = lhs as? [AnyHashable: Any], let right = rhs as? [AnyHashable: Any] else {
      return writeApart(lhs, rhs, at: place)
    }
    let same = left.filter { key, value in right[key].map { areEqual($0, value) } ?? false }
    append("[", at: place, isEnd: false)
    skip(same.count, at: place)
    dump.writeSortedPairs(left.filter { same[$0.key] == nil }, to: &old, at: place)
    dump.writeSortedPairs(right.filter { same[$0.key] == nil }, to: &new, at: place)
    append("]", at: place, isStart: false)
  }
}

extension Dump {
  fileprivate mutating func writeSorted(
    _ values: [Any], to output: inout DumpOutput, at place: DumpPlace
  ) {
    writeSorted(values, to: &output, at: place) { $0.write($1, to: &$2, at: $3) }
  }

  fileprivate mutating func writeSortedPairs(
    _ pairs: [AnyHashable: Any], to output: inout DumpOutput, at place: DumpPlace
  ) {
    writeSorted(pairs.map { ($0.key.base, $0.value) }, to: &output, at: place) {
      $0.writePair($1, to: &$2, at: $3)
    }
  }
}

/// Returns whether two values are equal, as far as their types can tell.
func areEqual(_ lhs: Any, _ rhs: Any) -> Bool {
  guard let lhs = lhs as? any Equatable else { return false }
  return isEqual(lhs, rhs)
}

private func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool {
  lhs == rhs as? Value
}
