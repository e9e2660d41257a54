import ComposableReducers

nonisolated enum Outer: Sendable, Equatable {
  case inner(Inner)
  case nothing
}

nonisolated enum Inner: Sendable, Equatable {
  case number(Int)
}

nonisolated func useCasePaths() -> Bool {
  let fast = CasePath<Outer, Inner>(
    embed: { .inner($0) },
    extract: { if case .inner(let inner) = $0 { inner } else { nil } })
  let short = CasePath(Outer.inner) { if case .inner(let inner) = $0 { inner } else { nil } }
  let number = short.appending(
    path: CasePath(Inner.number) { if case .number(let number) = $0 { number } else { nil } })
  let nothing = CasePath<Outer, Void>(
    embed: { .nothing }, extract: { if case .nothing = $0 { () } else { nil } })
  let same: CasePath<Outer, Outer> = .identity
  return number.extract(from: fast.embed(.number(1))) == 1
    && nothing.extract(from: same.embed(.nothing)) != nil
}
