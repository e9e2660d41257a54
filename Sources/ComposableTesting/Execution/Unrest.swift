extension TestRun {
  /// Fails the test because something blocks its thread, or never settles.
  func failOverUnrest(at place: CallSite) {
    switch executor.takeUnrest() {
    case .blocked(let effects):
      for effect in effects {
        TestFailure.record(
          """
          \(name(of: effect) ?? "A task of the test, or a reducer,") blocks its thread. The test \
          continues without waiting for it.
            Instead: `await` a clock, a continuation or an asynchronous sequence. A semaphore, \
          `Thread.sleep` or an endless loop never lets its task suspend.
          """, at: place)
        if let effect {
          effect.log?.abandon(effect.effect)
          effect.log?.forget(effect.effect)
        }
      }
    case .busy(let effect):
      TestFailure.record(
        """
        The test never settles: \(name(of: effect) ?? "something") keeps running without ever waiting.
          Instead: `await` a value, a clock or a continuation, rather than yielding in a loop.
        """, at: place)
    }
  }

  private func name(of effect: EffectExecutor?) -> String? {
    effect.flatMap { effect in
      effect.log?.description(of: effect.effect).map { "The \($0)" }
    }
  }
}
