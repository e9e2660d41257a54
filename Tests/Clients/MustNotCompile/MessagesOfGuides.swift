public import ComposableTesting
import Testing

indirect enum FolderAction {
  case queryChanged(String)
  case folder(Int, FolderAction)
}

// error: let 'folder' is not concurrency-safe because non-'Sendable' type 'Reducer<Int,
//   FolderAction, Void>' may have shared mutable state [#MutableGlobalVariable]
// error: type 'FolderAction' does not conform to the 'Sendable' protocol
let folder = Reducer<Int, FolderAction, Void> { _, _, _ in .none }

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
// error: initializer 'init()' must be declared public because it matches a requirement in public
//   protocol 'DependencyEnvironment'
public struct PublicFeature: ComposableEnvironment {
  /// The scope.
  public let scope = DependencyScope.current
}

struct Page: Equatable {
  var child = ""
}

func other(_ feature: Feature) -> Child {
  // error: value of type 'Feature' has no dynamic member 'other' using key path from root type
  //   'Dependencies'
  feature.other
}

@MainActor func read(_ store: ObservableStore<Page, FeatureAction>) -> String {
  // error: cannot convert return expression of type '@MainActor @Sendable (KeyPath<Page, Part>,
  //   @escaping @MainActor @Sendable (PartAction) -> FeatureAction) -> ObservableStore<Part,
  //   PartAction>' to return type 'String'
  // error: generic parameter 'Part' could not be inferred
  // error: generic parameter 'PartAction' could not be inferred
  store.child
}

struct ClockTests {
  let clock = TestClock()

  // error: instance member 'clock' cannot be used on type 'ClockTests'; did you mean to use a value
  //   of this type instead?
  @Test(.dependencies { $0.continuousClock = clock })
  func sleeps() {}
}

func count() {
  var count = 0
  withDependencies {
    $0[Client.self].search = { _ in
      // error: mutation of captured var 'count' in concurrently-executing code
      //   [#SendableClosureCaptures]
      count += 1
      return []
    }
  } operation: {
  }
}
