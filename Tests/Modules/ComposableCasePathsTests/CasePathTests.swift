import ComposableCasePaths
import Testing

@Suite("case paths")
struct CasePathTests {
  private struct Failure: Error, Equatable {}

  private enum Screen: Equatable, Sendable {
    case list(List)
    case detail(id: Int, name: String)
    case empty
  }

  private enum List: Equatable, Sendable {
    case rows([Int])
    case search(String)
  }

  private let list = CasePath(Screen.list) { if case .list(let list) = $0 { list } else { nil } }
  private let detail = CasePath(Screen.detail) {
    if case .detail(let id, let name) = $0 { (id, name) } else { nil }
  }
  private let search = CasePath(List.search) {
    if case .search(let text) = $0 { text } else { nil }
  }

  @Test("a path extracts the payload of its case, and nothing else")
  func extracting() throws {
    #expect(list.extract(from: .list(.search("a"))) == .search("a"))
    #expect(list.extract(from: .empty) == nil)
    #expect(list.extract(from: list.embed(.rows([1]))) == .rows([1]))
    #expect(try #require(detail.extract(from: detail.embed((1, "a")))) == (1, "a"))
  }

  @Test("a case without a payload has a path, too")
  func withoutPayload() {
    let empty = CasePath<Screen, Void>(
      embed: { .empty }, extract: { if case .empty = $0 { () } else { nil } })
    #expect(empty.embed(()) == .empty)
    #expect(empty.extract(from: .empty) != nil)
    #expect(empty.extract(from: .list(.rows([]))) == nil)
  }

  @Test("both directions can be closures")
  func closures() {
    let even = CasePath<Int, Int> {
      $0 * 2
    } extract: {
      $0.isMultiple(of: 2) ? $0 / 2 : nil
    }
    #expect(even.embed(2) == 4)
    #expect(even.extract(from: 4) == 2)
    #expect(even.extract(from: 3) == nil)
  }

  @Test("a path to the actions of a row extracts those with its id, in rows of rows, too")
  func rows() {
    enum File: Equatable, Sendable { case opened, closed }
    enum Folder: Equatable, Sendable { case file(id: Int, File) }
    enum Root: Equatable, Sendable { case folder(String, Folder) }
    let file = CasePath(Folder.file) {
      if case .file(let id, let file) = $0 { (id, file) } else { nil }
    }
    let folder = CasePath(Root.folder) {
      if case .folder(let id, let folder) = $0 { (id, folder) } else { nil }
    }
    let path = folder[id: "a"].appending(path: file[id: 1])
    let opened = Root.folder("a", .file(id: 1, .opened))
    #expect(path.embed(.opened) == opened)
    #expect(path.extract(from: opened) == .opened)
    #expect(folder[id: "a"].extract(from: opened) == .file(id: 1, .opened))
    #expect(path.ids.map { "\($0)" } == ["a", "1"], "a failure names the rows")
    #expect(path.extract(from: .folder("a", .file(id: 2, .opened))) == nil)
    #expect(path.extract(from: .folder("b", .file(id: 1, .opened))) == nil)
  }

  @Test("a path into a nested enum goes through both enums")
  func appending() {
    let path = list.appending(path: search)
    #expect(path.extract(from: .list(.search("a"))) == "a")
    #expect(path.extract(from: .list(.rows([]))) == nil)
    #expect(path.extract(from: .empty) == nil)
    #expect(path.embed("b") == .list(.search("b")))
  }

  @Test("the identity path extracts the root")
  func identity() {
    #expect(CasePath.identity.extract(from: Screen.empty) == .empty)
    #expect(CasePath.identity.embed(Screen.empty) == .empty)
  }

  @Test("modifying changes only the payload of the path's case")
  func modify() {
    var screen = Screen.detail(id: 1, name: "a")
    let old = detail.modify(&screen) { detail in
      detail.0 += 1
      return detail.1
    }
    #expect(old == "a")
    #expect(screen == .detail(id: 2, name: "a"))
    #expect(list.modify(&screen) { $0 = .rows([]) } == nil)
    #expect(screen == .detail(id: 2, name: "a"))
  }

  @Test("a modification that throws changes nothing, and rethrows")
  func modifyThrows() {
    var screen = Screen.list(.rows([1]))
    #expect(throws: Failure()) {
      try list.modify(&screen) { list throws(Failure) in
        list = .rows([])
        throw Failure()
      }
    }
    #expect(screen == .list(.rows([1])))
  }

  @Test("a path is a pattern")
  func pattern() {
    func name(_ screen: Screen) -> String {
      switch screen {
      case list.appending(path: search): "search"
      case list: "list"
      default: "other"
      }
    }
    #expect(name(.list(.search("a"))) == "search")
    #expect(name(.list(.rows([]))) == "list")
    #expect(name(.empty) == "other")
  }
}
