/// The cases that a path goes through, if the path knows them.
struct CaseName {
  /// From the outermost to the innermost, with labels, as in `set(width:)`.
  private var names: [Substring] = []

  /// Reads the description of a path, such as `/AppAction.profile .. /ProfileAction.rename`.
  init?(_ description: String) {
    for part in description.split(separator: " .. ") {
      // The description of a part that consists of closures is a type.
      guard part.hasPrefix("/"), let point = part.lastIndex(of: ".") else { return nil }
      let name = part[point...].dropFirst()
      if name != "self" { names.append(name) }
    }
  }

  /// The case as Swift code, with the type of its payload.
  func text(payload: Any.Type) -> String {
    guard let innermost = names.last else { return "any action" }
    return names.dropLast().reversed().reduce(
      Self.text(of: innermost, containing: Self.elements(of: payload))
    ) { Self.text(of: $1, containing: [$0]) }
  }

  private static func text(of name: Substring, containing elements: [String]) -> String {
    let parts = name.split(separator: "(")
    let labels = parts.count == 2 ? parts[1].dropLast().split(separator: ":") : []
    // A case without labels has them neither in its name nor here.
    let payload =
      labels.count == elements.count
      ? zip(labels, elements).map { $0 == "_" ? $1 : "\($0): \($1)" } : elements
    return ".\(parts[0])(\(payload.joined(separator: ", ")))"
  }

  /// The names of the types in a tuple, or of a single type.
  private static func elements(of type: Any.Type) -> [String] {
    let name = String(describing: type)
    guard name.hasPrefix("("), name.hasSuffix(")") else { return [name] }
    var elements = [""]
    var depth = 0
    for character in name.dropFirst().dropLast() {
      if "(<[".contains(character) { depth += 1 }
      if ")>]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        elements.append("")
      } else if character != " " || !(elements.last ?? "").isEmpty {
        elements[elements.count - 1].append(character)
      }
    }
    return elements
  }
}
