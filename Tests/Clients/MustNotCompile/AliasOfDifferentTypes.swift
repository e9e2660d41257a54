import ComposableEnvironment

extension Dependencies {
  fileprivate var client: Client {
    get { self[Client.self] }
    set { self[Client.self] = newValue }
  }
}

func alias(_ feature: Feature) {
  // error: cannot convert value of type 'WritableKeyPath<Dependencies, Client>' to expected
  //   argument type 'WritableKeyPath<Dependencies, Int>'
  feature.aliasing(\.limit, to: \.client)
}
