import ComposableDependencies

func share(_ cache: Cache, _ scope: DependencyScope) {
  // error: passing closure as a 'sending' parameter risks causing data races between code in the
  //   current task and concurrent execution of the closure [#SendingClosureRisksDataRace]
  Task.detached(in: scope) { cache.values = [:] }
}
