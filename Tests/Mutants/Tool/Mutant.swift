/// One change of the library's source.
struct Mutant: Hashable {
  enum Kind: String {
    case drop, negate, bound, equal, logic, arithmetic, flag, result, unmarked, order, retain, lock
  }

  /// Within `Sources`.
  let file: String
  let kind: Kind
  let original: String
  let replacement: String
  /// Among those of the file that are the same otherwise.
  var ordinal = 1

  /// What identifies it in the lists, whatever is edited around it.
  var fields: [String] { [file, kind.rawValue, original, replacement, "\(ordinal)"] }

  var module: String { String(file.prefix { $0 != "/" }) }

  /// The same in every run.
  var hash: UInt64 { Self.hash(of: fields.joined(separator: "\t")) }

  static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// How an expression can be changed.
struct Alternatives {
  private(set) var all: [(kind: Mutant.Kind, text: String)] = []
  private let text: Text
  private let expression: String

  init(_ expression: String) {
    self.expression = expression
    text = Text(expression)
    replace(" < ", by: " <= ", .bound)
    replace(" <= ", by: " < ", .bound)
    replace(" > ", by: " >= ", .bound)
    replace(" >= ", by: " > ", .bound)
    replace("..<", by: "...", .bound)
    replace(" == ", by: " != ", .equal)
    replace(" != ", by: " == ", .equal)
    replace(" === ", by: " !== ", .equal)
    replace(" !== ", by: " === ", .equal)
    replace(" && ", by: " || ", .logic)
    replace(" || ", by: " && ", .logic)
    replace(" + 1", by: "", .arithmetic)
    replace(" &+ 1", by: "", .arithmetic)
    replace(" - 1", by: "", .arithmetic)
    replace(": true", by: ": false", .flag)
    replace(": false", by: ": true", .flag)
    replace(".reversed()", by: "", .drop)
    replace(".unmarked", by: "", .unmarked)
    replace("ordering: .acquiringAndReleasing", by: "ordering: .relaxed", .order)
    replace("ordering: .acquiring)", by: "ordering: .relaxed)", .order)
    replace("ordering: .releasing)", by: "ordering: .relaxed)", .order)
    replace("ordering: .sequentiallyConsistent", by: "ordering: .relaxed", .order)
    replace(".passRetained(", by: ".passUnretained(", .retain)
    replace(".takeRetainedValue()", by: ".takeUnretainedValue()", .retain)
    replace(".takeUnretainedValue()", by: ".takeRetainedValue()", .retain)
    replace(".takeRetained()", by: ".object", .retain)
    replace(".retaining(", by: ".init(", .retain)
    replace(".withLock {", by: ".withoutLock {", .lock)
    replace(".withLock({", by: ".withoutLock({", .lock)
    if expression == "true" || expression == "false" {
      all.append((.flag, expression == "true" ? "false" : "true"))
    }
  }

  /// For an expression that is a condition.
  var ofCondition: [(kind: Mutant.Kind, text: String)] {
    let negation = expression.hasPrefix("!") && text.positions(of: " ").isEmpty
    return [(.negate, negation ? String(expression.dropFirst()) : "!(\(expression))")] + all
  }

  /// For an expression that may be replaced by an empty value of the type.
  func withResult(_ type: String?) -> [(kind: Mutant.Kind, text: String)] {
    guard let empty = type.flatMap(emptyValue), empty != expression else { return all }
    return [(empty.hasPrefix("!") ? .negate : .result, empty)] + all
  }

  private func emptyValue(of type: String) -> String? {
    if type.hasSuffix("?") { return "nil" }
    if type == "Bool" {
      return expression == "true" || expression == "false" ? nil : "!(\(expression))"
    }
    if type.hasPrefix("["), type.hasSuffix("]") {
      return Text(String(type.dropFirst().dropLast())).cut(at: ": ") == nil ? "[]" : "[:]"
    }
    return ["Int", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double"].contains(type)
      ? "0" : nil
  }

  private mutating func replace(_ old: String, by new: String, _ kind: Mutant.Kind) {
    for position in text.positions(of: old) {
      if old == ".unmarked", expression.contains("marks.unmarked") { continue }
      if old == ".unmarked" {
        let next = position + old.count
        if next < text.characters.count, text.characters[next].isLetter { continue }
      }
      if old == new { continue }
      all.append((kind, text.replacing(old.count, at: position, by: new)))
    }
  }
}
