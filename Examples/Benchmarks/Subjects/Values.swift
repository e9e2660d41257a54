import ComposableDependencies

/// Values of several kinds: declared as dependencies, stored as closures, and stored.
struct DeclaredValues: Sendable {
  @Dependency(\.number) var number
  @Dependency(\.object) var object
  @Dependency(\.text) var text
  @Dependency(\.client) var client
  @Dependency(\.texts) var texts

  static var overridden: DeclaredValues {
    let values = StoredValues()
    return withDependencies {
      $0.number = values.number
      $0.object = values.object
      $0.text = values.text
      $0.client = values.client
      $0.texts = values.texts
    } operation: {
      DeclaredValues()
    }
  }
}

struct GetterValues: Sendable {
  let number: @Sendable () -> Int
  let object: @Sendable () -> ReadObject
  let text: @Sendable () -> String
  let client: @Sendable () -> Client
  let texts: @Sendable () -> Texts

  init() {
    let values = StoredValues()
    number = { values.number }
    object = { values.object }
    text = { values.text }
    client = { values.client }
    texts = { values.texts }
  }
}

/// Behind one reference, like an environment that a feature keeps.
final class StoredValues: Sendable {
  let number = 7
  let object = ReadObject(7)
  let text = "a text that is too long to be stored in place"
  let client = Client(ReadObject(7))
  let texts = Texts()
}

final class ReadObject: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Eleven strings, each of which is retained when the struct is copied.
struct Texts: Sendable {
  var first = Texts.long(1)
  var second = Texts.long(2)
  var third = Texts.long(3)
  var fourth = Texts.long(4)
  var fifth = Texts.long(5)
  var sixth = Texts.long(6)
  var seventh = Texts.long(7)
  var eighth = Texts.long(8)
  var ninth = Texts.long(9)
  var tenth = Texts.long(10)
  var eleventh = Texts.long(11)

  private static func long(_ number: Int) -> String {
    "text \(number), which is too long to be stored in place"
  }
}

/// A client in the style of a struct of closures, each of which captures an object.
struct Client: Sendable {
  var load: @Sendable (Int) -> Int
  var save: @Sendable (Int) -> Int
  var delete: @Sendable (Int) -> Int
  var search: @Sendable (Int) -> Int
  var count: @Sendable () -> Int

  init(_ object: ReadObject) {
    load = { $0 + object.number }
    save = { $0 - object.number }
    delete = { $0 * object.number }
    search = { $0 ^ object.number }
    count = { object.number }
  }
}

enum ObjectKey: DependencyKey {
  static let defaultValue = ReadObject(1)
}

enum TextKey: DependencyKey {
  static var defaultValue: String { "" }
}

enum ClientKey: DependencyKey {
  static let defaultValue = Client(ReadObject(1))
}

enum TextsKey: DependencyKey {
  static let defaultValue = Texts()
}

extension Dependencies {
  var object: ReadObject {
    get { self[ObjectKey.self] }
    set { self[ObjectKey.self] = newValue }
  }

  var text: String {
    get { self[TextKey.self] }
    set { self[TextKey.self] = newValue }
  }

  var client: Client {
    get { self[ClientKey.self] }
    set { self[ClientKey.self] = newValue }
  }

  var texts: Texts {
    get { self[TextsKey.self] }
    set { self[TextsKey.self] = newValue }
  }
}
