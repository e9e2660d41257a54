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
  let short: CasePath<Outer, Inner> = /Outer.inner
  let number = short.appending(path: /Inner.number)
  let nothing: CasePath<Outer, Void> = /Outer.nothing
  let same: CasePath<Outer, Outer> = .identity
  let alsoSame: CasePath<Outer, Outer> = /Outer.self
  let again: CasePath<Outer, Outer> = /.self
  return number.extract(from: fast.embed(.number(1))) == 1
    && nothing.extract(from: again.embed(alsoSame.embed(same.embed(.nothing)))) != nil
}
