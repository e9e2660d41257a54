import ComposableDependencies

@MainActor
final class Model {
  var text: String
  init(text: String) { self.text = text }
}

enum ModelKey: DependencyKey {
  // error: call to main actor-isolated initializer 'init(text:)' in a synchronous nonisolated
  //   context [#ActorIsolatedCall]
  static var defaultValue: Model { Model(text: "") }
}
