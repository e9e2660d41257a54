// flags: -default-isolation MainActor

import ComposableTesting

struct Item: Identifiable {
  let id: Int
}

nonisolated struct Items {
  var items: IdentifiedArrayOf<Item> = []
}

enum ItemsAction { case add }

let itemsReducer = Reducer<Items, ItemsAction, Void> { state, action, _ in
  // error: main actor-isolated conformance of 'Item' to 'Identifiable' cannot be used in nonisolated
  //   context [#IsolatedConformances]
  state.items.append(Item(id: 1))
  return .none
}

struct ItemsEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: main actor-isolated default value in a nonisolated context
  var reducer = itemsReducer
}
