import Foundation

/// The source of a module, with mutants behind a switch.
struct Schema {
  struct File {
    let path: String
    let lines: [String]
    let plans: [(statement: Statement, plan: Plan)]
  }

  private struct Output {
    let text: String
    var numbers: [Int] = []
  }

  static let support = "MutantSupport.swift"

  let module: String
  private(set) var files: [File] = []
  /// The numbers of the mutants that are compiled.
  private(set) var numbers: [Mutant: Int] = [:]
  /// For each file, the mutants on each of its lines, from the last writing.
  private var written: [String: [[Int]]] = [:]

  init(module: String, sources: URL) throws {
    self.module = module
    let root = sources.appending(path: module)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      var planner = Planner(file: "\(module)/\(path)")
      let statements = path.contains("Unavailable") ? [] : StatementParser.statements(of: lines)
      let plans = statements.compactMap { statement in
        planner.plan(statement).map { (statement, $0) }
      }
      files.append(File(path: "\(module)/\(path)", lines: lines, plans: plans))
    }
  }

  var mutants: [Mutant] { files.flatMap { $0.plans.flatMap(\.plan.mutants) } }

  mutating func number(_ mutants: [Mutant], from first: Int) {
    for (index, mutant) in mutants.enumerated() { numbers[mutant] = first + index }
  }

  mutating func remove(_ mutants: some Sequence<Mutant>) {
    for mutant in mutants { numbers[mutant] = nil }
  }

  /// Writes the module to the copy's sources.
  mutating func write(to sources: URL) throws {
    for file in files {
      let lines = output(of: file)
      written[file.path] = lines.map(\.numbers)
      let text = lines.map(\.text).joined(separator: "\n")
      let url = sources.appending(path: file.path)
      if (try? String(contentsOf: url, encoding: .utf8)) != text {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
    }
    let url = sources.appending(path: "\(module)/\(Self.support)")
    if !FileManager.default.fileExists(atPath: url.path) {
      try mutantSupport.write(to: url, atomically: true, encoding: .utf8)
    }
  }

  /// The mutants that an error on a line of a written file is about: those on the line, or else the
  /// nearest.
  func mutants(at line: Int, of path: String) -> [Mutant] {
    guard let lines = written[path] else { return [] }
    for distance in 0..<40 {
      var found: Set<Int> = []
      for near in [line - 1 - distance, line - 1 + distance] where lines.indices.contains(near) {
        found.formUnion(lines[near])
      }
      if !found.isEmpty { return numbers.filter { found.contains($0.value) }.map(\.key) }
    }
    return []
  }

  private func output(of file: File) -> [Output] {
    var before: [Int: [Output]] = [:]
    var after: [Int: [Output]] = [:]
    var replaced: [Int: (end: Int, lines: [Output])] = [:]
    for (statement, plan) in file.plans {
      let start = statement.lines.lowerBound
      before[start] = plan.returns.compactMap { mutant, text in
        numbers[mutant].map { Output(text: "if _mutant(\($0)) { return \(text) }", numbers: [$0]) }
      }
      var branches = plan.branches
      if let drop = plan.drop { branches.append((drop, "")) }
      let present = branches.filter { numbers[$0.mutant] != nil }
      if !present.isEmpty {
        for (index, (mutant, text)) in present.enumerated() {
          let number = numbers[mutant]!
          let opening = index == 0 ? "if" : "} else if"
          before[start]! += [
            Output(text: "\(opening) _mutant(\(number)) {", numbers: [number]),
            Output(text: text, numbers: [number]),
          ]
        }
        before[start]!.append(Output(text: "} else {"))
        after[statement.end, default: []].append(
          Output(text: "}", numbers: plan.drop.flatMap { numbers[$0] }.map { [$0] } ?? []))
      }
      if let lines = rendering(of: plan.pieces) {
        replaced[start] = (statement.lines.upperBound, lines)
      }
    }
    var output: [Output] = []
    var index = 0
    while index < file.lines.count {
      output += before[index] ?? []
      if let (end, lines) = replaced[index] {
        output += lines
        index = end
      } else {
        output.append(Output(text: file.lines[index]))
      }
      output += after[index] ?? []
      index += 1
    }
    return output
  }

  /// `nil` if nothing of it is mutated.
  private func rendering(of pieces: [Plan.Piece]) -> [Output]? {
    var isMutated = false
    var lines: [Output] = []
    for piece in pieces {
      switch piece {
      case .text(let text):
        lines.append(Output(text: text))
      case .choice(let original, let choices):
        let present = choices.compactMap { mutant, text in numbers[mutant].map { ($0, text) } }
        if present.isEmpty {
          lines.append(Output(text: original))
          continue
        }
        isMutated = true
        for (index, (number, text)) in present.enumerated() {
          let opening = index == 0 ? "" : ": "
          lines.append(Output(text: "\(opening)_mutant(\(number)) ? (\(text))", numbers: [number]))
        }
        lines.append(Output(text: ": (\(original))"))
      case .lock(let mutant):
        if let number = numbers[mutant] {
          isMutated = true
          lines[lines.count - 1] = Output(
            text: lines.last!.text + ".withLock(\(number))", numbers: [number])
        } else {
          lines[lines.count - 1] = Output(text: lines.last!.text + ".withLock")
        }
      case .statement(let mutant, let text):
        if let number = numbers[mutant] {
          isMutated = true
          lines.append(Output(text: "if !_mutant(\(number)) { \(text) }", numbers: [number]))
        } else {
          lines.append(Output(text: text))
        }
      }
    }
    return isMutated ? lines : nil
  }
}

/// What mutated code calls, in each mutated module.
private let mutantSupport = """
  internal import Synchronization

  @_silgen_name("mutant_is_on")
  @usableFromInline
  func _mutant(_ number: Int) -> Bool

  extension Mutex where Value: ~Copyable {
    func withLock<R: ~Copyable, E: Error>(
      _ mutant: Int, _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      if _mutant(mutant) { return try withoutLock(body) }
      return try withLock(body)
    }

    func withoutLock<R: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending R
    ) throws(E) -> sending R {
      let address = withLock { value in
        unsafe withUnsafeMutablePointer(to: &value) { unsafe UInt(bitPattern: $0) }
      }
      let pointer = unsafe UnsafeMutablePointer<Value>(bitPattern: address)!
      return try unsafe body(&pointer.pointee)
    }
  }

  """
