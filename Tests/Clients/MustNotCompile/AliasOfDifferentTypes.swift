import ComposableEnvironment

enum LimitKey: DependencyKey {
  static var defaultValue: Int { 3 }
}

enum NameKey: DependencyKey {
  static var defaultValue: String { "" }
}

extension Dependencies {
  var limit: Int {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }

  var name: String {
    get { self[NameKey.self] }
    set { self[NameKey.self] = newValue }
  }
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Child>(aliases: {
    // error: cannot convert value of type 'WritableKeyPath<Dependencies, String>' to expected
    //   argument type 'WritableKeyPath<Dependencies, Int>'
    $0.alias(\.limit, to: \.name)
  })
  var child
}

struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
}

func alias(_ feature: Feature) {
  // error: cannot convert value of type 'WritableKeyPath<Dependencies, String>' to expected
  //   argument type 'WritableKeyPath<Dependencies, Int>'
  feature.aliasing(\.limit, to: \.name)
}
