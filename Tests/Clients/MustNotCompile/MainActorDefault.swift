import ComposableDependencies

@MainActor
final class Model {
  var text = ""
}

// error: conformance of 'ModelKey' to protocol 'DependencyKey' crosses into main actor-isolated
//   code and can cause data races [#ConformanceIsolation]
enum ModelKey: DependencyKey {
  @MainActor static var defaultValue: Model { Model() }
}
