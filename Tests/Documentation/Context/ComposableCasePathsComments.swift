import ComposableReducers
import ComposableTesting

private struct Find {
  var text = ""
}

private enum Screen {
  case search(Find)
}

private func example(_ screen: inout Screen, _ search: CasePath<Screen, Find>) -> Void? {
  // block: search.modify(
}

private func example(_ action: AppAction, _ profile: CasePath<AppAction, ProfileAction>) {
  // block: switch action {
}

private func example(
  _ profile: CasePath<AppAction, ProfileAction>, _ rename: CasePath<ProfileAction, String>
) -> CasePath<AppAction, String> {
  // block: profile.appending(
}

private func example() -> CasePath<AppAction, ProfileAction> {
  // block: CasePath(AppAction.profile) { if
}

private func example() -> CasePath<AppAction, Void> {
  // block: CasePath<AppAction, Void>(
}

private struct CounterList: Equatable {
  var counters: IdentifiedArrayOf<Counter> = []
}

private enum ListAction {
  case counter(Int, CounterAction)
}

private func example(
  _ store: TestStore<CounterList, ListAction>, _ loaded: CasePath<CounterAction, Int>
) async {
  // block: let counter = CasePath(ListAction.counter)
}
