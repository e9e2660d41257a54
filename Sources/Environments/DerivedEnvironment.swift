public import ComposableDependencies
public import Synchronization

// Each `unsafe` here accesses the child that a cell has published, of the cell's own type. The cell
// publishes it once, and owns it from then on.

/// The environment of a child feature, created inside its parent's scope.
///
/// ```swift
/// struct Parent: ComposableEnvironment {
///   let scope = DependencyScope.current
///   @DerivedEnvironment<Child> var child
///   @DerivedEnvironment var offline = Child().with(\.apiClient, .offline)
/// }
/// ```
///
/// A child follows its parent: an override of the parent is visible in the child. An override of
/// the child itself, in its declaration or as `parent.child[\.isOnline] = false`, applies to the
/// child and everything below it, and stays when you override the parent later.
///
/// The child is created at the first access, so an environment can derive a type that derives it in
/// turn. If several threads access it first, all of them get the same child.
///
/// A copy of the parent shares the child with the original, until one of the two assigns its own.
@propertyWrapper
public struct DerivedEnvironment<Environment: DependencyEnvironment>: Sendable {
  @usableFromInline let cell: DerivedCell<Environment>

  /// Derives a child created with its `init()`.
  ///
  /// - Parameters:
  ///   - aliases: Aliases dependencies in the global store of the parent's scope, when the parent
  ///     is created. So the child's first read already sees the aliases; see
  ///     `AliasBuilder`.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public init(
    aliases: (AliasBuilder) -> AliasBuilder = { $0 },
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(given: nil, aliases: aliases, at: SourcePlace(fileID: fileID, line: line))
  }

  /// Derives a child that has properties or overrides of its own.
  ///
  /// - Parameters:
  ///   - wrappedValue: The child. Its scope is replaced by the parent's scope; overrides set on the
  ///     child itself are kept.
  ///   - aliases: Aliases dependencies in the global store of the parent's scope, when the parent
  ///     is created. So the child's first read already sees the aliases; see
  ///     `AliasBuilder`.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public init(
    wrappedValue: Environment,
    aliases: (AliasBuilder) -> AliasBuilder = { $0 },
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      given: wrappedValue, aliases: aliases, at: SourcePlace(fileID: fileID, line: line))
  }

  private init(
    given: (any DependencyEnvironment)?, aliases: (AliasBuilder) -> AliasBuilder,
    at place: SourcePlace
  ) {
    let parent = DependencyScope.current
    _ = aliases(AliasBuilder(scope: parent, place: place))
    let given = GivenEnvironment(environment: given, isAssigned: false)
    cell = DerivedCell(given, parent: parent, place: place)
  }

  @usableFromInline
  init(cell: DerivedCell<Environment>) {
    self.cell = cell
  }

  /// The child.
  ///
  /// A child that you assign follows this parent from then on.
  @_alwaysEmitIntoClient
  public var wrappedValue: Environment {
    get { cell.environment }
    set { self = DerivedEnvironment(cell: cell.replacing(newValue)) }
  }
}

extension DerivedEnvironment: CustomReflectable {
  /// The child if it exists already; this doesn't create it.
  public var customMirror: Mirror {
    let children =
      cell.existing.map { [(label: "wrappedValue" as String?, value: $0 as Any)] } ?? []
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

// MARK: - What copies of the parent share

/// Storage that a parent shares with its copies: the child's initial value, and the child created
/// from it.
///
/// A cell is filled before the parent is handed out, and its child then stays.
@safe
@usableFromInline
final class DerivedCell<Environment: DependencyEnvironment>: Sendable {
  private let parent: DependencyScope
  private let place: SourcePlace
  private let given: Mutex<GivenEnvironment>
  /// Published once, and owned from then on.
  ///
  /// Not an `AtomicLazyReference`, because its unspecialized load costs more than the rest of an
  /// access.
  @usableFromInline let made = unsafe Atomic<Unmanaged<AnyMadeEnvironment>?>(nil)

  fileprivate init(_ given: GivenEnvironment, parent: DependencyScope, place: SourcePlace) {
    self.given = Mutex(given)
    self.parent = parent
    self.place = place
  }

  deinit {
    unsafe made.load(ordering: .acquiring)?.release()
  }

  @_alwaysEmitIntoClient
  var environment: Environment {
    // The cell owns its child, so it must outlive the read.
    withExtendedLifetime(self) {
      let made = unsafe made.load(ordering: .acquiring) ?? publish(make())
      return unsafe made._withUnsafeGuaranteedRef {
        unsafe unsafeDowncast($0, to: MadeEnvironment<Environment>.self).environment
      }
    }
  }

  /// The child, if it was created already.
  var existing: Environment? {
    unsafe made.load(ordering: .acquiring) == nil ? nil : environment
  }

  /// Stores an environment unless another thread was first, and returns the stored one.
  @usableFromInline
  func publish(_ environment: Environment) -> Unmanaged<AnyMadeEnvironment> {
    let new = unsafe Unmanaged<AnyMadeEnvironment>.passRetained(MadeEnvironment(environment))
    let (isFirst, kept) = unsafe made.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    if isFirst { return unsafe new }
    unsafe new.release()
    return unsafe kept!
  }

  @usableFromInline
  func make() -> Environment {
    if let given = given.withLock({ $0.environment }) {
      let environment = (given as? any ScopeCapturing)?.recreated(below: parent, at: place) ?? given
      return environment as! Environment
    }
    if let type = Environment.self as? any ScopeCapturing.Type {
      return type.made(in: parent, at: place) as! Environment
    }
    return parent.run { Environment() }
  }

  @usableFromInline
  func replacing(_ environment: Environment) -> DerivedCell {
    AssignedEnvironments.insert(Environment.self)
    let given = GivenEnvironment(environment: environment, isAssigned: true)
    return DerivedCell(given, parent: parent, place: place)
  }
}

/// What a parent gives a cell to make its child of.
// Not generic, because looking up metadata for each parent takes a fifth of the time of recreating it.
private struct GivenEnvironment {
  var environment: (any DependencyEnvironment)?
  /// Whether it was set after the parent was created, so that recreating the parent loses it.
  var isAssigned: Bool
}

/// A cell's child, of a type whose metadata the atomic reference needn't look up at each access.
@usableFromInline
class AnyMadeEnvironment: @unchecked Sendable {}  // Immutable. Unchecked because of its subclasses.

// Unchecked, because a subclass must repeat the conformance of its superclass; immutable.
@usableFromInline
final class MadeEnvironment<Environment: Sendable>: AnyMadeEnvironment, @unchecked Sendable {
  @usableFromInline let environment: Environment

  @usableFromInline
  init(_ environment: Environment) { self.environment = environment }
}

extension DerivedCell {
  /// Copies what this cell was assigned to another cell.
  func carry(to other: DerivedCell) {
    let given = self.given.withLock { $0 }
    guard given.isAssigned else { return }
    // Freed after the lock, and after the check, because freeing it may read the child.
    let replaced = other.given.withLock { current in
      defer { current = given }
      return current
    }
    if unsafe other.made.load(ordering: .relaxed) != nil {
      DependencyIssue(
        problem: """
          `init()` of the parent environment reads its derived \(Environment.self), so what was \
          assigned to the original is lost in the copy.
          """,
        remedy: "read a derived environment when you use it, not in `init()`.",
        at: place
      ).report()
    }
    withExtendedLifetime(replaced) {}
  }
}
