// Plants small mistakes in a module, one for each run of its tests, and prints those that no test finds.
//
// All are in one build, and an environment variable chooses one. So a slip costs a run of the tests, not a
// build. What doesn't compile is left out.
//
// Arguments: a copy of the package that has only the tests to run, the original, the module, and options:
//   --most N          a random selection of N slips (--seed S chooses another one)
//   --in R            only in files whose paths match a regular expression
//   --since COMMIT    only in lines that have changed since a commit of the original
//   --equivalent F    a list of slips that change nothing, each with its reason
//   --at-least P      fails if the tests find fewer than P percent
//   --filter R        runs only tests whose names match a regular expression
//   --jobs J          how many runs go on at the same time
//   --again F         only what an earlier run printed to a file
@preconcurrency import Foundation
import Synchronization

var arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { fail("slips COPY ORIGINAL MODULE [options]") }
let copy = URL(filePath: arguments.removeFirst())
let original = URL(filePath: arguments.removeFirst())
let module = arguments.removeFirst()
var options: [String: String] = [:]
while arguments.count >= 2 { options[arguments.removeFirst()] = arguments.removeFirst() }
guard arguments.isEmpty else { fail("\(arguments[0]) has no value.") }

/// The slips that change nothing, and why.
let equivalent: [String: String] = try {
  guard let path = options["--equivalent"] else { return [:] }
  var reasons: [String: String] = [:]
  var reason = ""
  for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
    if line.hasPrefix("# ") {
      reason = String(line.dropFirst(2))
    } else {
      reasons[String(line)] = reason
    }
  }
  return reasons
}()

/// The lines of each file that have changed; `nil` for all.
let changedLines: [String: Set<Int>]? = try options["--since"].map { commit in
  var lines: [String: Set<Int>] = [:]
  var file = ""
  let diff = try run(["git", "-C", original.path, "diff", "--unified=0", commit, "--", "Sources"])
  for line in diff.text.split(separator: "\n") {
    if line.hasPrefix("+++ b/") { file = String(line.dropFirst(6)) }
    if let hunk = line.firstMatch(of: /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/) {
      let first = Int(hunk.1)!
      lines[file, default: []].formUnion(first..<(first + (hunk.2.map { Int($0)! } ?? 1)))
    }
  }
  return lines
}

var sources: [String: String] = [:]
var slips: [Slip] = []
let folder = "Sources/\(module)"
guard let files = FileManager.default.enumerator(atPath: original.appending(path: folder).path)
else { fail("There is no \(folder).") }
for case let name as String in files where name.hasSuffix(".swift") {
  let file = "\(folder)/\(name)"
  let source = try String(contentsOf: original.appending(path: file), encoding: .utf8)
  sources[file] = source
  slips += Planting(file: file, source: source).slips
}
slips.sort { ($0.file, $0.line, $0.start, $1.end) < ($1.file, $1.line, $1.start, $0.end) }
if let files = try options["--in"].map({ try Regex($0) }) {
  slips.removeAll { !$0.file.contains(files) }
}
if let changedLines { slips.removeAll { changedLines[$0.file]?.contains($0.line) != true } }
for index in slips.indices { slips[index].number = index + 1 }
let known = slips.filter { equivalent[$0.key] != nil }.count
slips.removeAll { equivalent[$0.key] != nil }

if let path = options["--again"] {
  let printed = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
  let keys = Set(
    printed.map { String($0.replacing(#/^(\S+):\d+: /#, maxReplacements: 1) { "\($0.1): " }) })
  slips.removeAll { !keys.contains($0.key) }
}

/// Repeats itself for a seed.
struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
/// Selects slips at random, in their order.
let selection = { (slips: [Slip], count: Int) -> [Slip] in
  var generator = Generator(state: options["--seed"].flatMap { UInt64($0) } ?? 1)
  return slips.shuffled(using: &generator).prefix(count).sorted { $0.number < $1.number }
}

let most = options["--most"].flatMap { Int($0) }
// More than asked for, because some don't compile.
if let most { slips = selection(slips, most * 2) }

try """
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

private let number = unsafe getenv("SLIP").flatMap { unsafe Int(String(cString: $0)) } ?? 0

@usableFromInline nonisolated func slip(_ n: Int) -> Bool { n == number }
""".write(
  to: copy.appending(path: "\(folder)/Slip.swift"), atomically: true, encoding: .utf8)
var building = Building(copy: copy, module: module, slips: slips, sources: sources)
try building.build()
print(
  "\(module): \(building.slips.count) of \(slips.count) slips compile; \(known) are known to change nothing"
)
slips = most.map { selection(building.slips, $0) } ?? building.slips
let build = try run(["swift", "build", "--build-tests", "--package-path", copy.path])
guard build.status == 0 else { fail("The tests don't build:\n\(build.text.suffix(3000))") }

let products = try run(["swift", "build", "--show-bin-path", "--package-path", copy.path]).text
let bundle = URL(filePath: products.trimmingCharacters(in: .newlines))
  .appending(path: "swift-composable-environmentPackageTests.xctest")
let begin = Date()
var (limit, end) = (10.0, 60.0)
for _ in 0..<2 {
  let begin = Date()
  let running = Running(bundle, options["--filter"], slip: 0)
  guard case .passed = running.outcome(within: 600, endingWithin: 600)
  else { fail("The tests of \(module) fail without a slip.") }
  limit = max(limit, 2 * running.longestSilence)
  end = max(end, -5 * begin.timeIntervalSinceNow)
}

struct Results {
  var found = 0
  var hung = 0
  var next = 0
}
let results = Mutex(Results())
let jobs = options["--jobs"].flatMap { Int($0) } ?? ProcessInfo.processInfo.activeProcessorCount
let (all, filter, limits) = (slips, options["--filter"], (silence: limit, end: end))
DispatchQueue.concurrentPerform(iterations: jobs) { _ in
  while true {
    let slip = results.withLock { results -> Slip? in
      guard results.next < all.count else { return nil }
      results.next += 1
      return all[results.next - 1]
    }
    guard let slip else { return }
    let outcome = Running(bundle, filter, slip: slip.number)
      .outcome(within: limits.silence, endingWithin: limits.end)
    results.withLock { results in
      switch outcome {
      case .failed: results.found += 1
      case .hung:
        results.found += 1
        results.hung += 1
      case .passed:
        print("\(slip.file):\(slip.line): \(slip.text)")
        fflush(nil)
      }
    }
  }
}

let (found, hung) = results.withLock { ($0.found, $0.hung) }
let percent = all.isEmpty ? 100 : 100 * found / all.count
print(
  "\(module): \(all.count) slips, \(found) found (\(percent) %), of which \(hung) hung, "
    + "\(all.count - found) survived, \(known) equivalent, \(Int(Date().timeIntervalSince(begin))) s"
)
if let least = options["--at-least"].flatMap({ Int($0) }), percent < least {
  fail("The tests find fewer than \(least) % of the slips in \(module).")
}
