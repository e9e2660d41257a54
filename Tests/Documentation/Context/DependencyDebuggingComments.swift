import ComposableDependencies

private func example(_ search: Search) {
  // block: print(search.explain())
}
