/// Runs a program with nothing but an explicit dictionary passed along, by the rules alone.
///
/// It runs a program twice, in one order that its tasks permit. The first run collects what is done
/// with global stores, and what happens before what; so the second knows, at each read, all that
/// might have been written at the same time.
final class Interpreter {
  /// What a read may find.
  struct Expectation {
    let id: ReadID
    let values: Set<Int>
  }

  let program: Program
  var expectations: [Expectation] = []
  /// Why the program has no meaning to compare with: what it does is not ordered, and matters.
  var objection: String?
  /// What was done, and how often.
  var coverage = Coverage()

  /// What is done with each store in this run.
  private(set) var events: [[Event]] = []
  /// What is written to each store: in all of the first run, or so far while that runs.
  private var writes: [[Event]] = []
  private let isFirstRun: Bool
  private var eventCount = 0
  private var usesTestValues: [Bool] = []

  /// The interpreter that has run a program.
  static func run(_ program: Program) -> Interpreter {
    let first = Interpreter(program, writes: nil)
    first.runProgram()
    first.objection = first.objection ?? first.disorder
    if first.objection != nil { return first }
    let second = Interpreter(program, writes: first.writes)
    second.runProgram()
    return second
  }

  private init(_ program: Program, writes: [[Event]]?) {
    self.program = program
    self.isFirstRun = writes == nil
    self.writes = writes ?? []
    _ = makeStore(usesTestValues: false)
  }

  private func runProgram() {
    var position = Position(scope: .root)
    if !program.usesProcessStore {
      position.scope = ModelScope(store: makeStore(usesTestValues: false))
    }
    try? run(program.steps, &position)
  }

  /// A number for a new store.
  func makeStore(usesTestValues: Bool) -> Int {
    self.usesTestValues.append(usesTestValues)
    events.append([])
    if isFirstRun { writes.append([]) }
    return events.count - 1
  }

  /// What is done at the same time as something that changes more than values.
  private var disorder: String? {
    for (store, events) in events.enumerated() {
      for event in events where event.isExclusive {
        if let other = events.first(where: event.isUnordered) {
          return "\(event.kind) is not ordered with \(other.kind) in store \(store)"
        }
      }
    }
    return nil
  }

  @discardableResult
  func record(_ kind: Event.Kind, in store: Int, _ at: inout Position) -> Event {
    let event = Event(id: eventCount, kind: kind, past: at.past)
    eventCount += 1
    events[store].append(event)
    if !event.isAccess {
      if isFirstRun { writes[store].append(event) }
      if store == 0, !program.usesProcessStore { objection = "the process's store is changed" }
    }
    at.past.insert(event.id)
    return event
  }

  func expect(_ values: Set<Int>, _ step: Step, _ index: Int, _ at: Position) {
    if isFirstRun { return }
    let id = ReadID(path: at.path, step: step.id, index: index)
    expectations.append(Expectation(id: id, values: values))
  }
}

// MARK: - Values

extension Interpreter {
  /// The keys that are one with a key, after all that happened before.
  private func members(of key: Int, in store: Int, _ past: Past) -> [Int] {
    classes(in: store, past).members(of: key)
  }

  func classes(in store: Int, _ past: Past) -> AliasClasses {
    var classes = AliasClasses()
    for event in writes[store] where event.isExclusive && past.contains(event.id) {
      switch event.kind {
      case .alias(let key, let target): classes.alias(key, to: target)
      case .clearAliases: classes = AliasClasses()
      case .access, .set, .reset: break
      }
    }
    return classes
  }

  /// What a key may be in a scope.
  func read(_ key: Int, in scope: ModelScope, _ at: inout Position) -> Set<Int> {
    let access = record(.access, in: scope.store, &at)
    let members = members(of: key, in: scope.store, at.past)
    for member in members {
      if let value = scope.overrides[member] { return [value] }
    }
    var values = globalValues(of: members, in: scope.store, access)
    if values.remove(nil) != nil {
      return Set(values.compactMap { $0 }).union(defaultValues(of: members[0], in: scope, &at))
    }
    return Set(values.compactMap { $0 })
  }

  /// What keys that are one may be globally, `nil` if nothing.
  private func globalValues(of members: [Int], in store: Int, _ read: Event) -> Set<Int?> {
    let writes = writes[store]
    var values: Set<Int?> = [nil]
    for member in members where values == [nil] {
      let before = writes.filter { read.past.contains($0.id) && $0.value(of: member) != nil }
      let last = before.filter { event in !before.contains { $0.past.contains(event.id) } }
      if !last.isEmpty { values = Set(last.map { $0.value(of: member)! }) }
    }
    for write in writes where write.isUnordered(with: read) {
      if let value = members.lazy.compactMap({ write.value(of: $0) }).first { values.insert(value) }
    }
    return values
  }

  private func defaultValues(
    of key: Int, in scope: ModelScope, _ at: inout Position
  ) -> Set<Int> {
    switch KeyKind(key) {
    case .plain: [usesTestValues[scope.store] ? -5000 - key : -1 - key]
    case .base, .object, .simple: [-1 - key]
    case .readsNeighbor: Set(read(key - 1, in: scope, &at).map { $0 + 1000 })
    case .readsNeighbors: sums(read(key - 1, in: scope, &at), read(key - 2, in: scope, &at), 3)
    case .readsFirst: Set(read(0, in: scope, &at).map { $0 + 2000 })
    }
  }

  /// What ``ComposableDependencies/Dependencies/blend`` may be.
  func readBlend(in scope: ModelScope, _ at: inout Position) -> Set<Int> {
    let first = sums(read(1, in: scope, &at), read(2, in: scope, &at), 3)
    return sums(first, read(6, in: scope, &at), 7)
  }

  private func sums(_ lhs: Set<Int>, _ rhs: Set<Int>, _ factor: Int) -> Set<Int> {
    Set(lhs.flatMap { left in rhs.map { left + factor * $0 } })
  }

  /// The scope with one more override, of a key and of all that are one with it.
  func overriding(_ scope: ModelScope, _ changes: [Change], _ at: inout Position) -> ModelScope {
    var scope = scope
    for change in changes {
      var value = change.value
      if change.isIncrement {
        let values = read(change.key, in: scope, &at)
        if values.count > 1 { objection = "what is incremented is not known" }
        value += values.first!
      }
      record(.access, in: scope.store, &at)
      for member in members(of: change.key, in: scope.store, at.past) {
        scope.overrides[member] = value
      }
    }
    return scope
  }

  func setGlobally(_ changes: [Change], _ at: inout Position) {
    var values: [Int: Int] = [:]
    for change in changes {
      for member in members(of: change.key, in: at.scope.store, at.past) {
        values[member] = change.value
      }
    }
    record(.set(values), in: at.scope.store, &at)
  }

  /// Makes two keys one, and says whether that was a mistake.
  func alias(_ key: Int, to target: Int, in store: Int, _ at: inout Position) -> Bool {
    let (isIgnored, isCycle) = classes(in: store, at.past).outcome(ofAliasing: key, to: target)
    record(isIgnored ? .access : .alias(key, to: target), in: store, &at)
    return isCycle
  }
}

extension Event {
  /// What it makes of a key: a value, nothing, or, as the outer `nil`, what it was.
  fileprivate func value(of key: Int) -> Int?? {
    switch kind {
    case .set(let values): values[key].map { .some($0) }
    case .reset: .some(nil)
    case .access, .alias, .clearAliases: nil
    }
  }
}
