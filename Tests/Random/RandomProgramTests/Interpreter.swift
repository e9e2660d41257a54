import ComposableDependencies
import DependencyDebugging
import TestSupport

/// Runs a program according to the rules, with an explicit dictionary instead of scopes.
///
/// It runs a program twice, in one order that its tasks permit. The first run collects operations
/// on global stores, and which happen before which. So at each read, the second run knows all
/// values that might have been written concurrently.
final class Interpreter {
  struct Expectation {
    let id: ReadID
    let value: Expected
  }

  /// What a read may return.
  enum Expected {
    case oneOf(Set<Int>)
    /// The same instance as all reads of what is made from the same.
    case instance(Combination)
    case any
  }

  let program: Program
  var expectations: [Expectation] = []
  /// Why the program can't be compared: the order of its operations matters, but isn't determined.
  var objection: String?
  /// The operations, and how often each was run.
  var coverage = Coverage()

  /// The operations on each store in this run.
  private(set) var events: [[Event]] = []
  /// The writes to each store: those of the whole first run or, during it, those so far.
  private var writes: [[Event]] = []
  private let isFirstRun: Bool
  private var eventCount = 0
  private var usesTestValues: [Bool] = []
  private var settingCount = 0
  /// What the shared key that is being made has read.
  var inputs: Inputs?
  /// What the read that is recorded has found so far.
  var log: ModelReadLog?

  /// Returns an interpreter that has run a program.
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
    // Tests run in a process whose own store reads test values.
    _ = makeStore(usesTestValues: true)
  }

  private func runProgram() {
    var position = Position(scope: .root)
    if !program.usesProcessStore {
      position.scope = ModelScope(store: makeStore(usesTestValues: false))
    }
    try? run(program.steps, &position)
  }

  /// Returns a number for a new store.
  func makeStore(usesTestValues: Bool) -> Int {
    self.usesTestValues.append(usesTestValues)
    events.append([])
    if isFirstRun { writes.append([]) }
    return events.count - 1
  }

  /// An operation that is concurrent with one that changes more than values.
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
    expect(.oneOf(values), step, index, at)
  }

  func expect(_ value: Expected, _ step: Step, _ index: Int, _ at: Position) {
    if isFirstRun { return }
    let id = ReadID(path: at.path, step: step.id, index: index)
    expectations.append(Expectation(id: id, value: value))
  }

  func writes(to store: Int) -> [Event] { writes[store] }
}

// MARK: - Values

extension Interpreter {
  /// The keys that are aliased to a key, after everything that happened before.
  func members(of key: Int, in store: Int, _ past: Past) -> [Int] {
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

  /// The possible values of a key in a scope.
  func read(_ key: Int, in scope: ModelScope, _ at: inout Position) -> Set<Int> {
    let access = record(.access, in: scope.store, &at)
    let members = members(of: key, in: scope.store, at.past)
    for member in members {
      if let value = scope.overrides[member] {
        inputs?.add(key, scope.settings[member].map { .override(setting: $0) })
        log?.add(key, .override, scope.places[member] ?? .elsewhere)
        return [value]
      }
    }
    if inputs != nil { inputs!.add(key, globalSource(of: members, in: scope.store, access)) }
    var values = globalValues(of: members, in: scope.store, access)
    if values.contains(nil), values.count > 1 { log?.addUnknown() }
    if values.remove(nil) != nil {
      log?.add(members[0], .defaultValue)
      log?.begin(members[0])
      defer { log?.end() }
      return Set(values.compactMap { $0 }).union(defaultValues(of: members[0], in: scope, &at))
    }
    log?.add(key, .globalValue)
    return Set(values.compactMap { $0 })
  }

  /// The possible global values of aliased keys; `nil` if there is none.
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

  /// The possible values of ``ComposableDependencies/Dependencies/blend``.
  func readBlend(in scope: ModelScope, _ at: inout Position) -> Set<Int> {
    let first = sums(read(1, in: scope, &at), read(2, in: scope, &at), 3)
    return sums(first, read(6, in: scope, &at), 7)
  }

  func sums(_ lhs: Set<Int>, _ rhs: Set<Int>, _ factor: Int) -> Set<Int> {
    Set(lhs.flatMap { left in rhs.map { left + factor * $0 } })
  }

  /// The scope with one more override, of a key and of all keys aliased to it.
  ///
  /// - Parameter setting: Which one it is; another one each time if not given.
  func overriding(
    _ scope: ModelScope, _ changes: [Change], setting: Int? = nil,
    place: ModelPlace = .elsewhere, _ at: inout Position
  ) -> ModelScope {
    var scope = scope
    for change in changes {
      settingCount += 1
      var value = change.value
      if change.isIncrement {
        let values = read(change.key, in: scope, &at)
        if values.count > 1 { objection = "what is incremented is not known" }
        value += values.first!
      }
      record(.access, in: scope.store, &at)
      for member in members(of: change.key, in: scope.store, at.past) {
        scope.overrides[member] = value
        scope.settings[member] = setting ?? settingCount
        scope.places[member] = place
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

  /// Aliases two keys, and returns whether that was a mistake.
  func alias(_ key: Int, to target: Int, in store: Int, _ at: inout Position) -> Bool {
    let (isIgnored, isCycle) = classes(in: store, at.past).outcome(ofAliasing: key, to: target)
    record(isIgnored ? .access : .alias(key, to: target), in: store, &at)
    return isCycle
  }
}

extension Event {
  /// What it makes of a key: a value, nothing, or, as the outer `nil`, what it was.
  func value(of key: Int) -> Int?? {
    switch kind {
    case .set(let values): values[key].map { .some($0) }
    case .reset: .some(nil)
    case .access, .alias, .clearAliases: nil
    }
  }
}

/// A scope: an explicit dictionary, and the number of the global store below it.
struct ModelScope {
  var overrides: [Int: Int] = [:]
  /// Which setting each override is, if that is known.
  var settings: [Int: Int] = [:]
  /// Where each override was set.
  var places: [Int: ModelPlace] = [:]
  var store: Int

  /// The store of the process is number 0.
  static let root = ModelScope(store: 0)
}

/// The position of a run in a program: everything that is passed along explicitly.
struct Position {
  var scope: ModelScope
  var variables: [Int: ModelValue] = [:]
  /// The variables that were defined since the task or call began.
  var exports: [Int: ModelValue] = [:]
  var past = Past()
  var path: UInt64 = 0

  mutating func define(_ variable: Int?, _ value: ModelValue) {
    guard let variable else { return }
    variables[variable] = value
    exports[variable] = value
  }

  /// Continues after a task or a call that has ended.
  mutating func join(_ ended: Position) {
    past.formUnion(ended.past)
    for (variable, value) in ended.exports { define(variable, value) }
  }

  /// The start of a task or a call.
  func child(in scope: ModelScope) -> Position {
    Position(scope: scope, variables: variables, past: past, path: path)
  }
}

/// The value of a variable.
enum ModelValue {
  case scope(ModelScope)
  case declared(key: Int, ModelScope)
  case environment(ModelEnvironment)
  case closure(ModelClosure)
  case task(Position)
}

struct ModelClosure {
  let body: [Step]
  let scope: ModelScope
  let variables: [Int: ModelValue]
  let isThrowing: Bool
}

/// The error that a program throws.
struct Thrown: Error {}
