private let actions: [AppAction] = [.reset]

private func example() -> [ProfileAction] {
  // block: actions.compactMap(
}

private func example() -> CasePath<AppAction, ProfileAction> {
  // block: CasePath(AppAction.profile)
}
