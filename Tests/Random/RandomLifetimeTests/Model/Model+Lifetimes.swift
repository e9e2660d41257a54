import TestSupport

extension Model {
  mutating func beginOperation(_ number: Int) -> String? {
    lifetimes[number]!.isOperating = true
    coverage.count("operation")
    for key in lifetimes[number]!.listed {
      let isOpen = instances.contains {
        $0.key.lifetime == number && $0.key.key == key && $0.value.isOpen
      }
      if !isOpen { return "K\(key) is not open" }
    }
    return nil
  }

  /// Rules 30 and 31: what `withResources` returns or throws, and that nothing stays open.
  mutating func end(_ number: Int, _ outcome: Outcome) -> String? {
    lifetimes[number]!.isReturned = true
    let lifetime = lifetimes[number]!
    for (instance, opened) in instances where instance.lifetime == number {
      if opened.isOpen && !opened.isClosed { return "\(instance) is not closed" }
      if !opened.isOpen && !opened.hasFailed { return "\(instance) is still opening" }
      if opened.isRunning { return "\(instance) is still running" }
    }
    let mayBeCancelled = self.mayBeCancelled(number)
    if lifetime.isOperating {
      switch lifetime.operated {
      case nil: return "the operation has not ended"
      case .returned:
        coverage.count("returned")
        let isRight = outcome == .returned || lifetime.runFailures.contains(outcome)
        return isRight ? nil : "the operation has returned"
      case .cancelled:
        coverage.count("cancelled operation")
        if lifetime.runFailures.contains(outcome) { return nil }
        let isRight = outcome == .cancelled && mayBeCancelled
        return isRight ? nil : "the operation was cancelled"
      case .some(let own):
        coverage.count("failed operation")
        return outcome == own ? nil : "it masks \(own)"
      }
    }
    coverage.count("no operation")
    let failures = (lifetime.failures + lifetime.runFailures).filter(\.isFailure)
    if outcome == .cancelled {
      if !mayBeCancelled { return "nothing cancelled it" }
      return nil
    }
    return failures.contains(outcome) ? nil : "it is none of \(failures)"
  }

  /// Whether a lifetime, or one around it, is in a task that may be cancelled.
  func mayBeCancelled(_ number: Int?) -> Bool {
    guard let number, let lifetime = lifetimes[number] else { return false }
    if lifetime.mayBeCancelled { return true }
    // A failing `run` cancels an operation, and so the lifetimes inside it.
    if let outer = lifetime.outer, !lifetimes[outer]!.runFailures.isEmpty { return true }
    return mayBeCancelled(lifetime.outer)
  }

  /// Rules 26 and 29: what may be opened.
  mutating func begin(_ instance: Instance, at place: Int) -> String? {
    let others = instances.filter {
      $0.key.lifetime == instance.lifetime && $0.key.key == instance.key && !$0.value.hasFailed
    }
    if !others.isEmpty { return "the lifetime has it already" }
    if program.global.contains(instance.key) { return "it is set globally" }
    if lifetimes[instance.lifetime]!.isReturned { return "the lifetime has ended" }
    instances[instance] = Opened(begin: place)
    return nil
  }

  /// Rules 27 and 31: what may be closed.
  mutating func beginClosing(_ instance: Instance, _ isCancelled: Bool) -> String? {
    let opened = instances[instance]!
    if opened.isClosing { return "it was closed before" }
    if isCancelled { return "closing is cancelled" }
    if opened.isRunning { return "it still runs" }
    for (other, dependent) in instances
    where dependent.from.contains(instance) && dependent.isOpen && !dependent.isClosed {
      return "\(other) was opened from it, and is open"
    }
    for (number, lifetime) in lifetimes
    where lifetime.outer == instance.lifetime && !lifetime.isReturned {
      return "the inner lifetime \(number) continues"
    }
    if lifetimes[instance.lifetime]!.isOperating, lifetimes[instance.lifetime]!.operated == nil {
      return "the operation continues"
    }
    instances[instance]!.isClosing = true
    coverage.count("closed")
    return nil
  }
}
