// Finds what the package's own code declares and never uses, apart from what is public.
//
// Reads the index that a debug build leaves. What only tests use counts as unused.
import Foundation
import IndexStore

typealias Object = UnsafeMutableRawPointer

let sources = URL(filePath: "Sources").path(percentEncoded: false) + "/"
let store = indexstore_store_create(CommandLine.arguments[1], nil)!

func text(_ string: indexstore_string_ref_t) -> String {
  String(decoding: UnsafeRawBufferPointer(start: string.data, count: string.length), as: UTF8.self)
}

/// Visits what a function of the index's library passes to its callback.
final class Visitor<Element> {
  let visit: (Element) -> Void
  init(_ visit: @escaping (Element) -> Void) { self.visit = visit }
  var context: Object { Unmanaged.passUnretained(self).toOpaque() }
  static func of(_ context: Object?) -> Visitor {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }
}

func objects(
  _ apply: (Object, @convention(c) (Object?, Object?) -> Bool) -> Bool,
  _ visit: @escaping (Object) -> Void
) {
  let visitor = Visitor(visit)
  _ = withExtendedLifetime(visitor) {
    apply(visitor.context) { context, object in
      Visitor<Object>.of(context).visit(object!)
      return true
    }
  }
}

var units: [String] = []
let unitNames = Visitor<String> { units.append($0) }
_ = indexstore_store_units_apply_f(store, 0, unitNames.context) { context, name in
  Visitor<String>.of(context).visit(text(name))
  return true
}

var declarations: [String: (file: String, line: Int, name: String)] = [:]
var used: Set<String> = []
/// The names of what protocols require, because the index doesn't relate each implementation to them.
var requirements: Set<String> = []
let implicit = UInt64(INDEXSTORE_SYMBOL_ROLE_IMPLICIT)
let definition = UInt64(INDEXSTORE_SYMBOL_ROLE_DEFINITION)
let reference = UInt64(INDEXSTORE_SYMBOL_ROLE_REFERENCE)
// What a protocol or a superclass asks for, and the accessors of a property.
let called = UInt64(
  INDEXSTORE_SYMBOL_ROLE_REL_OVERRIDEOF | INDEXSTORE_SYMBOL_ROLE_REL_ACCESSOROF)
let kinds = [
  INDEXSTORE_SYMBOL_KIND_EXTENSION, INDEXSTORE_SYMBOL_KIND_PARAMETER,
  INDEXSTORE_SYMBOL_KIND_DESTRUCTOR,
]

for unit in units {
  let unit = indexstore_unit_reader_create(store, unit, nil)!
  let file = text(indexstore_unit_reader_get_main_file(unit))
  // A unit stays when its file is deleted.
  guard file.hasPrefix(sources), FileManager.default.fileExists(atPath: file) else { continue }
  objects({ indexstore_unit_reader_dependencies_apply_f(unit, $0, $1) }) { dependency in
    guard indexstore_unit_dependency_get_kind(dependency) == INDEXSTORE_UNIT_DEPENDENCY_RECORD
    else { return }
    let name = text(indexstore_unit_dependency_get_name(dependency))
    let record = indexstore_record_reader_create(store, name, nil)!
    objects({ indexstore_record_reader_occurrences_apply_f(record, $0, $1) }) { occurrence in
      let symbol = indexstore_occurrence_get_symbol(occurrence)!
      let roles = indexstore_occurrence_get_roles(occurrence)
      let identity = text(indexstore_symbol_get_usr(symbol))
      if roles & reference != 0 { used.insert(identity) }
      guard roles & definition != 0, roles & implicit == 0,
        !kinds.contains(indexstore_symbol_get_kind(symbol))
      else { return }
      let name = text(indexstore_symbol_get_name(symbol))
      var relations: UInt64 = 0
      objects({ indexstore_occurrence_relations_apply_f(occurrence, $0, $1) }) { relation in
        relations |= indexstore_symbol_relation_get_roles(relation)
        let other = indexstore_symbol_relation_get_symbol(relation)
        if indexstore_symbol_get_kind(other) == INDEXSTORE_SYMBOL_KIND_PROTOCOL {
          requirements.insert(name)
        }
      }
      guard relations & called == 0 else { return }
      var (line, column): (UInt32, UInt32) = (0, 0)
      indexstore_occurrence_get_line_col(occurrence, &line, &column)
      declarations[identity] = (file, Int(line), name)
    }
  }
}

guard declarations.count > 1_000 else {
  fatalError("there is no index in \(CommandLine.arguments)")
}

var failures: [String] = []
for (identity, declaration) in declarations where !used.contains(identity) {
  let lines = try String(contentsOfFile: declaration.file, encoding: .utf8)
    .split(separator: "\n", omittingEmptySubsequences: false)
  let line = lines[declaration.line - 1]
  // The index doesn't know what is public. A comment here or above says what else is needed.
  guard !line.contains("public "), !declaration.name.isEmpty,
    !requirements.contains(declaration.name),
    !(lines[max(declaration.line - 2, 0)] + line).contains("// unused:")
  else { continue }
  failures.append("\(declaration.file):\(declaration.line): \(declaration.name) is never used")
}
print(failures.sorted().joined(separator: "\n"))
exit(failures.isEmpty ? 0 : 1)
