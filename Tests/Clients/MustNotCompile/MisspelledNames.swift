import ComposableTesting

struct Uploader {
  // error: cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'Key.Type'
  // error: generic parameter 'Key' could not be inferred
  // error: cannot infer key path type from context; consider explicitly specifying a root type
  @Dependency(\.limt) var limit
}

func read(_ feature: Feature) -> Int {
  // error: value of type 'Feature' has no dynamic member 'limt' using key path from root type
  //   'Dependencies'
  feature.limt
}

func readCurrent() -> Int {
  // error: value of type 'DependencyScope' has no dynamic member 'limt' using key path from root
  //   type 'Dependencies'
  DependencyScope.current.limt
}

func override(_ feature: Feature) {
  withDependencies {
    // error: value of type 'Dependencies' has no member 'limt'
    $0.limt = 5
  } operation: {
    readCurrent()
  }
  // error: value of type 'Dependencies' has no member 'limt'
  _ = DependenciesTrait.dependencies { $0.limt = 5 }
  // error: value of type 'Dependencies' has no member 'limt'
  Dependencies.setGlobally { $0.limt = 5 }
  // error: cannot convert value of type 'KeyPath<Dependencies, Value>' to expected argument type
  //   'WritableKeyPath<Dependencies, Int>'
  // error: value of type 'Dependencies' has no member 'limt'
  _ = feature.with(\.limt, 5)
  withDependencies {
    // error: cannot assign value of type 'String' to type 'Int'
    $0.limit = "5"
  } operation: {
    readCurrent()
  }
}
