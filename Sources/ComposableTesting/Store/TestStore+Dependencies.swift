public import ComposableReducers
internal import Synchronization
internal import Testing
internal import DependencyDebugging

extension TestStore {
  /// Overrides dependencies for the actions that follow.
  ///
  /// ```swift
  /// await store.withDependencies { $0.apiClient = .failing }
  /// await store.send(.submitted) { $0.isLoading = true }
  /// await store.receive(.failed) { $0.isLoading = false }
  /// ```
  ///
  /// **Adds** to the scope of the store's environment: dependencies that `update` doesn't set read as
  /// before. Everything that can run has run before, and effects that are running keep their scope.
  ///
  /// An environment that captures a scope is recreated, as by its `with`.
  ///
  /// - Parameters:
  ///   - update: Overrides dependencies. Reads inside this closure see the overrides made so far.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func withDependencies(
    _ update: (inout Dependencies) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    await engine.withDependencies(at: .init(fileID: fileID, line: line), update)
  }

  /// Sends an action that may read only some dependencies, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(.submitted("a"), using: [\.apiClient]) { $0.isLoading = true }
  /// ```
  ///
  /// The test fails if the reducer, or an effect before it waits for something, reads another
  /// dependency. What the default of a dependency reads counts for that dependency. Effects of earlier
  /// actions that run meanwhile count, too; what `update` reads doesn't.
  ///
  /// - Parameters:
  ///   - action: The action, for example of a user.
  ///   - dependencies: The dependencies that the action may read. Each is read once, to find its key.
  ///   - update: Changes the state before the action into the expected one, as for
  ///     ``send(_:_:fileID:filePath:line:column:)``.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  /// - Returns: What the action has started; you can wait for it and cancel it.
  @discardableResult
  public func send(
    _ action: Action,
    using dependencies: [PartialKeyPath<Dependencies>],
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> StoreTask {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let scope = engine.scope
    await testRun.settle(within: timeout, at: place)
    let allowed = Set(
      dependencies.flatMap { path in scope.keys { _ = $0[keyPath: path] } }
        .flatMap { scope.aliasedKeys(with: $0) }.map { ObjectIdentifier($0) })
    let others = OtherReads()
    let listener = scope.listenToReads { others.add($0, unlessIn: allowed) }
    let expect = update.map { update in
      { (state: inout State) in try others.ignoringThisThread { try update(&state) } }
    }
    let task = await send(
      action, expect, fileID: fileID, filePath: filePath, line: line, column: column)
    scope.end(listener)
    for key in others.keys {
      TestFailure.record(
        """
        \(short(action)) used `\(key)`, which isn't one of the dependencies that it may use.
          Instead: add its key path to `using:`, or don't read it.
          \(scope.origin(of: key))
        """, at: place)
    }
    return task
  }
}

/// The keys that an action reads and may not read, in order.
private final class OtherReads: Sendable {
  private struct State {
    var keys: [any DependencyKey.Type] = []
    /// The thread that runs code of the test itself.
    var ignoredThread: RunningThread?
  }

  private let state = Mutex(State())
  private let test = TestCaseID.current

  var keys: [any DependencyKey.Type] { state.withLock { $0.keys } }

  func add(_ read: RecordedRead, unlessIn allowed: Set<ObjectIdentifier>) {
    let key = read.outermostKey
    guard read.defaults.isEmpty, !allowed.contains(ObjectIdentifier(key)), !isOfOtherTest
    else { return }
    state.withLock { state in
      guard state.ignoredThread != .current else { return }
      if !state.keys.contains(where: { $0 == key }) { state.keys.append(key) }
    }
  }

  /// Whether the running task belongs to another test, which shares the process's global store if
  /// neither has a trait.
  private var isOfOtherTest: Bool {
    guard let current = TestCaseID.current, let test else { return false }
    return current != test
  }

  /// Ignores what a closure reads.
  func ignoringThisThread<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    state.withLock { $0.ignoredThread = .current }
    defer { state.withLock { $0.ignoredThread = nil } }
    return try body()
  }
}
