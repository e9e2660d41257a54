import Foundation

/// `tool ROOT SCRATCH COMMAND …`; `run.sh` gives the first two.
@main
struct Main {
  let root: URL
  let scratch: URL

  static func main() throws {
    setlinebuf(stdout)
    var arguments = Array(CommandLine.arguments.dropFirst())
    let main = Main(
      root: URL(filePath: arguments.removeFirst()), scratch: URL(filePath: arguments.removeFirst()))
    do {
      switch arguments.removeFirst() {
      case "list": for module in arguments { try main.list(module) }
      case "all":
        try main.runAll(arguments[0], share: arguments.count > 1 ? Int(arguments[1])! : 100)
      case "one": try main.runOne(arguments[0], containing: arguments[1])
      case "again": try main.runAgain(arguments[0], containing: Array(arguments.dropFirst()))
      case "sum": for module in arguments { try main.sum(module) }
      case "record": for module in arguments { try main.record(module) }
      case "gate": try main.gate(seed: arguments[0])
      case let command: throw Failure("there is no command \(command)")
      }
    } catch let failure as Failure {
      print("FAILED: \(failure)")
      exit(1)
    }
  }

  private func campaign(_ module: String) throws -> Campaign {
    try Campaign(module, root: root, directory: scratch.appending(path: module))
  }

  private func results(_ module: String) -> Lines {
    Lines(url: scratch.appending(path: "results/\(module).tsv"))
  }

  private func killed(_ module: String) -> Lines {
    Lines(url: root.appending(path: "Tests/Mutants/Killed/\(module).tsv"))
  }

  private var equivalent: Lines {
    Lines(url: root.appending(path: "Tests/Mutants/Equivalent.tsv"))
  }

  /// Whether the run is for mutants of this kind.
  private func isWanted(_ mutant: Mutant) -> Bool {
    let kinds = ProcessInfo.processInfo.environment["KINDS"]?.split(separator: ",")
    return kinds.map { $0.contains { $0 == mutant.kind.rawValue } } ?? true
  }

  private func list(_ module: String) throws {
    for mutant in try campaign(module).schema.mutants {
      print(mutant.fields.joined(separator: "\t"))
    }
  }

  /// Runs a share of the module's mutants, in percent, and all that the share can't do without.
  ///
  /// Those whose result is known from an earlier run aren't run again.
  private func runAll(_ module: String, share: Int) throws {
    var campaign = try campaign(module)
    let chosen = campaign.schema.mutants.filter { mutant in
      switch mutant.kind {
      case .unmarked, .order, .retain, .lock: true
      default: mutant.hash % 100 < share
      }
    }
    print("\(module): \(chosen.count) mutants")
    try campaign.build(chosen)
    print("\(campaign.schema.numbers.count) compile")
    let known = Set(try results(module).read().map(\.mutant))
    try campaign.runBaseline()
    for mutant in chosen.sorted(by: { $0.hash < $1.hash })
    where campaign.schema.numbers[mutant] != nil && !known.contains(mutant) && isWanted(mutant) {
      let verdict = try campaign.verdict(on: mutant)
      try results(module).append(mutant, verdict.fields + [campaign.buildName])
    }
    try sum(module)
  }

  /// Runs those that survived so far, if their lines contain one of the texts.
  private func runAgain(_ module: String, containing texts: [String]) throws {
    var campaign = try campaign(module)
    var latest: [Mutant: String] = [:]
    for (mutant, rest) in try results(module).read() { latest[mutant] = rest[0] }
    let isEquivalent = Set(try equivalent.read().map(\.mutant))
    let chosen = campaign.schema.mutants.filter { mutant in
      let line = mutant.fields.joined(separator: "\t")
      return ["survived", "unreached"].contains(latest[mutant]) && !isEquivalent.contains(mutant)
        && (texts.isEmpty || texts.contains { line.contains($0) }) && isWanted(mutant)
    }
    try campaign.build(chosen)
    try campaign.runBaseline()
    for mutant in chosen where campaign.schema.numbers[mutant] != nil {
      let verdict = try campaign.verdict(on: mutant)
      try results(module).append(mutant, verdict.fields + [campaign.buildName])
      print((verdict.fields + mutant.fields).joined(separator: "\t"))
    }
    try sum(module)
  }

  /// Runs the mutants whose line in the list contains the text.
  private func runOne(_ module: String, containing text: String) throws {
    var campaign = try campaign(module)
    let chosen = campaign.schema.mutants.filter {
      $0.fields.joined(separator: "\t").contains(text)
    }
    try campaign.build(chosen)
    try campaign.runBaseline()
    for mutant in chosen {
      let fields =
        campaign.schema.numbers[mutant] == nil
        ? ["doesn't compile"] : try campaign.verdict(on: mutant).fields
      print((mutant.fields + fields).joined(separator: "\t"))
    }
  }

  /// Prints the module's figures, and the survivors that aren't known to be equivalent.
  private func sum(_ module: String) throws {
    let isEquivalent = Set(try equivalent.read().map(\.mutant))
    var latest: [Mutant: [String]] = [:]
    for (mutant, rest) in try results(module).read() { latest[mutant] = rest }
    let dead = latest.filter { ["killed", "timeout"].contains($0.value.first) }
    let alive = latest.keys.filter { dead[$0] == nil }
    let remaining = alive.filter { !isEquivalent.contains($0) }
    let count = dead.count + remaining.count
    print(
      "\(module): \(latest.count) run, \(dead.count) killed, \(alive.count) survived, "
        + "\(alive.count - remaining.count) of them equivalent; "
        + "\(count == 0 ? 0 : 1000 * dead.count / count) in 1,000 of the others die")
    for mutant in remaining.sorted(by: { ($0.file, $0.original) < ($1.file, $1.original) }) {
      print((latest[mutant]!.prefix(1) + mutant.fields).joined(separator: "\t"))
    }
  }

  /// Adds what died to the list that the gate takes mutants from, and removes what is gone or
  /// survives now.
  ///
  /// What died by luck isn't added: a mutant of a lock or an order, and one that only random programs
  /// or racing threads found. Nor is what died in another build than the gate's.
  private func record(_ module: String) throws {
    let list = killed(module)
    let campaign = try campaign(module)
    let present = Set(campaign.schema.mutants)
    let isRandom = Set(
      campaign.suites.filter { $0.environment["PROGRAMS"] != nil || !$0.isParallel }.map(\.name))
    var latest: [Mutant: [String]] = [:]
    for (mutant, rest) in try results(module).read() { latest[mutant] = rest }
    let known = try list.read()
    let kept = known.filter { mutant, _ in
      present.contains(mutant) && !["survived", "unreached"].contains(latest[mutant]?.first)
    }
    var recorded = Set(kept.map(\.mutant))
    try? FileManager.default.removeItem(at: list.url)
    for (mutant, rest) in kept { try list.append(mutant, rest) }
    for (mutant, rest) in latest.sorted(by: { $0.key.hash < $1.key.hash })
    where rest[0] == "killed" && rest.dropFirst(3).joined().isEmpty && present.contains(mutant)
      && mutant.kind != .lock && mutant.kind != .order && !isRandom.contains(rest[1])
      && recorded.insert(mutant).inserted
    {
      try list.append(mutant, [rest[1]])
    }
    print(
      "\(module): \(recorded.count) die, \(recorded.count - kept.count) of them new, "
        + "\(known.count - kept.count) are gone")
  }

  /// Runs eight mutants that are known to die.
  private func gate(seed: String) throws {
    let directory = root.appending(path: "Tests/Mutants/Killed").path
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    let lists = try names.map { name in
      try Lines(url: URL(filePath: directory).appending(path: name)).read().map {
        ($0.mutant, $0.rest.first ?? "")
      }
    }
    // A module as often as it has mutants.
    var position = Int(Mutant.hash(of: seed) % UInt64(lists.map(\.count).reduce(0, +)))
    var list = lists[0]
    for next in lists {
      list = next
      if position < next.count { break }
      position -= next.count
    }
    var campaign = try campaign(list[0].0.module)
    let present = Set(campaign.schema.mutants)
    let candidates = list.filter { present.contains($0.0) }
      .sorted { Mutant.hash(of: "\($0.0.hash)\(seed)") < Mutant.hash(of: "\($1.0.hash)\(seed)") }
      .prefix(16)
    try campaign.build(candidates.map(\.0))
    let chosen = candidates.filter { campaign.schema.numbers[$0.0] != nil }.prefix(8)
    var survivors = 0
    for (mutant, suite) in chosen {
      let verdict = try campaign.verdict(on: mutant, beginningWith: suite)
      print((verdict.fields + mutant.fields).joined(separator: "\t"))
      if verdict.outcome == .survived { survivors += 1 }
    }
    if survivors > 0 { throw Failure("\(survivors) mutants survive that died before") }
    if chosen.count < 8 { print("only \(chosen.count) are left of the list of \(campaign.module)") }
  }
}
