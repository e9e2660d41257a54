/// An element whose id and contents can change.
struct Row: Hashable, Codable, Identifiable {
  var id: Int
  var name: String

  init(_ id: Int, _ name: String = "") {
    self.id = id
    self.name = name
  }
}

struct Failure: Error {}
