import ComposableDependencies
import DependencyDebugging
import Synchronization

/// What the library records of one read of a program.
final class ReadLog: Sendable {
  /// The log of the read that this task is doing.
  @TaskLocal private static var current: ReadLog?

  private let entries = Mutex<Set<String>>([])

  /// Logs the reads over a scope's store from now on.
  static func listen(to scope: DependencyScope) {
    _ = scope.listenToReads { read in
      guard let log = current, let entry = entry(read) else { return }
      log.entries.withLock { _ = $0.insert(entry) }
    }
  }

  /// Returns the value of a read, and the code of what was recorded meanwhile.
  static func recording(_ read: () -> Int) -> (value: Int, code: Int) {
    let log = ReadLog()
    let value = $current.withValue(log, operation: read)
    return (value, code(of: log.entries.withLock { $0 }))
  }

  private static func entry(_ read: Read) -> String? {
    guard let key = Key.index(of: read.key) else { return nil }
    let chain = read.defaults.map { Key.index(of: $0) ?? -1 }
    switch read.source {
    case .override(let override):
      return entry(key, override.origin?.wasRead == true ? "override" : "unread", chain)
    case .global: return entry(key, "\(Explanation.Source.globalValue)", chain)
    case .defaultValue: return entry(key, "\(Explanation.Source.defaultValue)", chain)
    }
  }

  static func entry(_ key: Int, _ source: String, _ chain: [Int]) -> String {
    "\(key) \(source) \(chain)"
  }

  /// A number for a set of entries, the same in every process.
  static func code(of entries: Set<String>) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in entries.sorted().joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int(hash >> 2)
  }
}

extension Runner {
  /// Reads a key, and compares what was recorded, and the explanation, with the interpreter's.
  func readRecorded(
    _ key: Int, in scope: DependencyScope, _ step: Step, _ index: Int, _ state: inout RunState,
    _ read: () -> Int
  ) {
    let (value, code) = ReadLog.recording(read)
    state.observe(value, step, index)
    guard isRecorded else { return }
    state.observe(code, step, ReadID.recorded(index))
    let entry = Key.all[key].explain(scope)
    let isRight = entry.value == nil || Key.all[key].isObject || entry.value == "\(value)"
    let explained = ReadLog.code(of: ["\(entry.source) \(isRight)"])
    state.observe(explained, step, ReadID.explained(index))
    let place = entry.source == .override ? entry.place.map { Int($0.line) } ?? -1 : 0
    state.observe(place, step, ReadID.place(index))
  }
}

/// What is to be recorded of one read, and explained about it.
struct ModelReadLog {
  /// Whether the store that is read records.
  let isRecorded: Bool
  private(set) var entries: Set<String> = []
  /// Whether the source of a value depends on the order of tasks.
  private(set) var isUnknown = false
  /// The keys whose defaults are being computed, the innermost first.
  private(set) var defaults: [Int] = []
  /// What provides the value of the read itself; `nil` if that isn't known.
  private(set) var source: Explanation.Source?
  /// Where the override was set; `nil` if there is none.
  private(set) var place: ModelPlace?
  private var count = 0

  init(isRecorded: Bool) {
    self.isRecorded = isRecorded
  }

  mutating func add(_ key: Int, _ source: Explanation.Source, _ place: ModelPlace? = nil) {
    if count == 0 { (self.source, self.place) = (source, place) }
    count += 1
    if isRecorded { entries.insert(ReadLog.entry(key, "\(source)", defaults)) }
  }

  mutating func addUnknown() {
    count += 1
    isUnknown = true
  }

  mutating func begin(_ key: Int) { defaults.insert(key, at: 0) }
  mutating func end() { defaults.removeFirst() }
}

/// Where an override was set.
enum ModelPlace {
  /// The step that set it.
  case step(Int)
  /// In code that no step stands for.
  case elsewhere
}

extension Interpreter {
  /// Expects a read of a key, and what is recorded of it.
  func expectRecorded(
    _ key: Int, in scope: ModelScope, _ step: Step, _ index: Int, _ at: inout Position
  ) {
    log = ModelReadLog(isRecorded: program.isRecorded && scope.store != 0)
    let values = read(key, in: scope, &at)
    expect(values, step, index, at)
    guard program.isRecorded, let log = log.take() else { return }
    let isKnown = !log.isUnknown && values.count == 1
    let source = isKnown ? log.source : nil
    let place: Expected =
      switch (source, log.place) {
      case (nil, _), (.override, .elsewhere), (.override, nil): .any
      case (.override, .step(let number)): .oneOf([log.isRecorded ? number : -1])
      default: .oneOf([0])
      }
    let recorded: Expected = isKnown ? .oneOf([ReadLog.code(of: log.entries)]) : .any
    let explained = source.map { Expected.oneOf([ReadLog.code(of: ["\($0) true"])]) } ?? .any
    expect(recorded, step, ReadID.recorded(index), at)
    expect(explained, step, ReadID.explained(index), at)
    expect(place, step, ReadID.place(index), at)
  }
}
