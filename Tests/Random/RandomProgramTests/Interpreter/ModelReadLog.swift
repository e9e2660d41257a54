import DependencyDebugging
import ComposableDependencies

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
    let name =
      switch source {
      case .override: "override"
      case .globalValue: "global"
      case .defaultValue: "default"
      }
    if isRecorded { entries.insert(ReadLog.entry(key, name, defaults)) }
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
    expect(
      isKnown ? ReadLog.code(of: log.entries) : nil, step, ReadID.recorded(index), at)
    let explained = isKnown ? log.source : nil
    expect(
      explained.map { Explained.code($0, isRight: true) }, step, ReadID.explained(index), at)
    switch (explained, log.place) {
    case (nil, _), (.override, .elsewhere), (.override, nil):
      expect(nil, step, ReadID.place(index), at)
    case (.override, .step(let number)):
      expect(log.isRecorded ? number : -1, step, ReadID.place(index), at)
    default:
      expect(0, step, ReadID.place(index), at)
    }
  }

  /// Expects one value, or any if it isn't known.
  private func expect(_ value: Int?, _ step: Step, _ id: Int, _ at: Position) {
    if let value { expect([value], step, id, at) } else { expectAny(step, id, at) }
  }
}
