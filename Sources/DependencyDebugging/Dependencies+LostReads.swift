public import ComposableDependencies

extension Dependencies {
  /// Reports, in a debug build, each default that is read outside any scope.
  ///
  /// Call it once at start-up, for example of a server in which each request has its own scope:
  ///
  /// ```swift
  /// Dependencies.reportLostReads()
  /// try await DependencyScope.root.run { try await serve() }
  /// ```
  ///
  /// A detached task, a queue's callback or a thread has no scope: it silently reads defaults. Each
  /// such read reports a `DependencyIssue` that names the key. Debug builds print each of them once;
  /// replace the handler to stop in a debugger where the read happens. Code that runs in the root
  /// scope, as in the example, isn't reported. The operation of a `withDependencies` that begins
  /// outside any scope is, if another scope overrides the key at that time, such as the program's.
  ///
  /// It also records places, as ``startRecording()`` does. In a release build it does nothing.
  public static func reportLostReads() {
    #if DEBUG
      reportingLostReads
    #endif
  }

  private static let reportingLostReads: Void = {
    // Recording leaves out defaults that an update reads only to replace them.
    DependencyScope.root.recordPlaces()
    let recorder = DependencyScope.root.recorder
    _ = DependencyScope.root.listenToLostReads { read in
      if read.scope.isOutsideAnyScope || recorder.isOverriddenElsewhere(read) {
        DependencyIssue(lostReadOf: read.key).report()
      }
    }
  }()
}

extension DependencyIssue {
  /// The default of a key was read outside any scope.
  package init(lostReadOf key: any DependencyKey.Type) {
    self.init(
      problem: """
        The default of \(PropertyNames.text(of: key)) was read outside any scope: detached tasks, \
        threads and queues don't carry a scope. Overrides of the code that started this work aren't seen.
        """,
      remedy: """
        capture the scope where you start that work, as in `Task.detached(in: .current) { … }` or \
        `queue.async(execute: DependencyScope.current.bind { … })`. The guide “My override isn't \
        seen” lists the causes.
        """,
      at: nil)
  }
}
