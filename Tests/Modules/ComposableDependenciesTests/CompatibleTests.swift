import ComposableDependencies
import Testing

/// Names of another library, in the same file.
private protocol DependencyKey {}

@propertyWrapper
private struct Dependency {
  var wrappedValue: String { "another library's" }
}

private enum PortKey: Compatible.DependencyKey {
  static let defaultValue = 80
}

extension Compatible.Dependencies {
  fileprivate var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
}

@Suite("Compatible")
struct CompatibleTests {
  @Test("the names of this library and of another can be used in one file")
  func sameNames() {
    @Dependency var theirs
    @Compatible.Dependency(\.port) var ours
    #expect(theirs == "another library's")
    #expect(ours == 80)
  }
}
