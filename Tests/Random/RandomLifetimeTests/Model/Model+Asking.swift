import TestSupport

extension Model {
  /// Rule 28: which lifetime a value may come from.
  mutating func answer(_ asked: Asked, _ token: Token) -> String? {
    let chain = chain(from: asked.asker)
    let own = chain.first.flatMap { lifetimes[$0] }
    // A resource of the same lifetime has precedence over an outer binding.
    let isListedHere = own?.listed.contains(asked.key) ?? false
    switch asked.bindings[asked.key] {
    case .some(let bound) where !isOpened(bound):
      coverage.count("asked for an override")
      return token == bound ? nil : "expected \(bound)"
    case .some(let bound) where !isListedHere:
      coverage.count("asked for a listed resource")
      if token != bound { return "expected \(bound)" }
    default: break
    }
    guard case .opened(let instance) = token else { return "nothing is bound to the key" }
    guard instance.key == asked.key, let opened = instances[instance], opened.isOpen else {
      return "it is not open"
    }
    guard let position = chain.firstIndex(of: instance.lifetime) else {
      return "it is of a lifetime that isn't around"
    }
    for nearer in chain[..<position] {
      let isThere = asked.open.contains { $0.lifetime == nearer && $0.key == asked.key }
      if isThere || lifetimes[nearer]!.listed.contains(asked.key) { return "\(nearer) is nearer" }
    }
    if opened.begin > asked.place, !lifetimes[instance.lifetime]!.listed.contains(asked.key) {
      if position > 0, !asked.opening.contains(where: { $0.lifetime == instance.lifetime }) {
        // Another task may have opened it there meanwhile.
        coverage.count("opened outside meanwhile")
      }
      for farther in chain[(position + 1)...] {
        let isThere = asked.open.contains { $0.lifetime == farther && $0.key == asked.key }
        if isThere { return "\(farther) has it" }
      }
    }
    if case .resource(let dependent) = asked.asker { instances[dependent]!.from.append(instance) }
    coverage.count("asked in \(position == 0 ? "the same" : "an outer") lifetime")
    return nil
  }

  /// Rules 30, 31 and 32: why a value may be refused.
  mutating func refuse(
    _ asked: Asked, _ outcome: Outcome, _ mayBeCancelled: Bool
  ) -> String? {
    switch outcome {
    case .cycle(let path):
      coverage.count("cycle")
      for (key, next) in zip(path, path.dropFirst())
      where !program.resources[key].needs.contains(next) {
        return "K\(key) doesn't need K\(next)"
      }
      return path.first == path.last && path.count > 1 ? nil : "it is no cycle"
    case .cancelled:
      let mayBe =
        mayBeCancelled || chain(from: asked.asker).contains(where: self.mayBeCancelled)
        || chain(from: asked.asker).contains { !lifetimes[$0]!.runFailures.isEmpty }
      return mayBe ? nil : "nothing cancelled it"
    case .failed:
      coverage.count("asked for a failed resource")
      return nil
    case .ended, .returned: return "the lifetime has not ended"
    }
  }

  /// The lifetimes around the code that asks, the nearest first.
  private func chain(from asker: Asker) -> [Int] {
    var next: Int? =
      switch asker {
      case .operation(let lifetime): lifetime
      case .resource(let instance): instance.lifetime
      }
    var chain: [Int] = []
    while let number = next {
      chain.append(number)
      next = lifetimes[number]!.outer
    }
    return chain
  }

  private func isOpened(_ token: Token) -> Bool {
    if case .opened = token { true } else { false }
  }
}
