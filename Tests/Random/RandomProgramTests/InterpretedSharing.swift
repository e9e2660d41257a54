extension Interpreter {
  /// Reads shared keys: what they are made from, and whether it is the instance of before.
  func readShared(_ step: Step, in scope: ModelScope, _ at: inout Position) {
    for (index, key) in step.keys.enumerated() {
      inputs = Inputs()
      expect(sharedValues(of: key, in: scope, &at), step, index, at)
      let combination = inputs!.known.map {
        Combination(sharedKey: key, place: place(of: scope.store, at), inputs: $0)
      }
      inputs = nil
      expect(combination.map { .instance($0) } ?? .any, step, ReadID.instance(index), at)
    }
  }

  private func place(of store: Int, _ at: Position) -> Combination.Place {
    let changes = writes(to: store).filter { $0.isExclusive && at.past.contains($0.id) }
    return Combination.Place(store: store, changes: changes.map(\.id))
  }

  /// What a shared key may be made to be: one value for each combination of what its inputs may be.
  private func sharedValues(
    of key: Int, in scope: ModelScope, _ at: inout Position
  ) -> Set<Int> {
    switch key {
    case 0: return read(0, in: scope, &at)
    case 1: return sums(read(1, in: scope, &at), read(2, in: scope, &at), 3)
    case 2: return read(6, in: scope, &at)
    case 3:
      let first = read(0, in: scope, &at)
      let whenEven = read(4, in: scope, &at, if: first.contains { $0 % 2 == 0 })
      let whenOdd = read(3, in: scope, &at, if: first.contains { $0 % 2 != 0 })
      return whenEven.union(whenOdd)
    case 4: return sums(sharedValues(of: 0, in: scope, &at), read(1, in: scope, &at), 5)
    case 5: return sums(read(7, in: scope, &at), sharedValues(of: 3, in: scope, &at), 3)
    case 6: return [42]
    default:
      let inner = overriding(
        scope, [Change(key: 1, value: 77)], setting: Inputs.ownSetting, &at)
      return sums(sharedValues(of: 1, in: inner, &at), read(4, in: scope, &at), 1)
    }
  }

  /// The possible values of a key that `make` reads on a condition.
  ///
  /// What isn't read is recorded all the same. Both runs must record the same events, but only the
  /// second knows all values on which the condition depends.
  private func read(
    _ key: Int, in scope: ModelScope, _ at: inout Position, if isRead: Bool
  ) -> Set<Int> {
    let before = inputs
    let values = read(key, in: scope, &at)
    if isRead { return values }
    inputs = before
    return []
  }

  /// Where the value of aliased keys comes from, after everything that happened before.
  func globalSource(of members: [Int], in store: Int, _ read: Event) -> InputSource? {
    let writes = writes(to: store)
    for write in writes where write.isUnordered(with: read) {
      if members.contains(where: { write.value(of: $0) != nil }) { return nil }
    }
    for member in members {
      let before = writes.filter { read.past.contains($0.id) && $0.value(of: member) != nil }
      let last = before.filter { event in !before.contains { $0.past.contains(event.id) } }
      if last.count > 1 { return nil }
      if let last = last.first, case .some(.some) = last.value(of: member) {
        return .global(event: last.id, member: member)
      }
    }
    return .nothing(root: members[0])
  }
}

/// Where the value of a key comes from.
enum InputSource: Hashable {
  case override(setting: Int)
  case global(event: Int, member: Int)
  case nothing(root: Int)
}

/// What an instance of a shared key is made from: rule 35.
struct Combination: Hashable {
  /// Where instances are compared: over one store, and between changes of its aliases and resets.
  struct Place: Hashable {
    let store: Int
    let changes: [Int]
  }

  let sharedKey: Int
  let place: Place
  let inputs: [Int: InputSource]
}

/// What a shared key has been made from so far; `nil` for what isn't known.
struct Inputs {
  /// The setting of an override that is set inside of `make`.
  static let ownSetting = -1

  private(set) var sources: [Int: InputSource?] = [:]

  mutating func add(_ key: Int, _ source: InputSource?) {
    if source == .override(setting: Self.ownSetting) { return }
    if let known = sources[key], known != source {
      sources[key] = .some(nil)
    } else {
      sources[key] = .some(source)
    }
  }

  /// All of them, if each is known.
  var known: [Int: InputSource]? {
    let known = sources.compactMapValues { $0 }
    return known.count == sources.count ? known : nil
  }
}
