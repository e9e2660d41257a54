public import Synchronization

/// Where a parent and its copies keep a child: what it was given, and what was made of that.
///
/// A cell is filled, at the latest, before the parent is handed out; what was made of it then stays.
@safe
@usableFromInline
final class DerivedCell<Environment: DependencyEnvironment>: Sendable {
  private struct Given {
    var environment: Environment?
    /// Whether it was set after the parent was made, so that making the parent again loses it.
    var isAssigned: Bool
  }

  private let parent: OverrideNode?
  private let location: SourceLocation
  private let given: Mutex<Given>
  /// Published once, and owned from then on.
  ///
  /// Not an `AtomicLazyReference`, whose unspecialized load costs more than the rest of an access.
  @usableFromInline let made = unsafe Atomic<Unmanaged<AnyMadeEnvironment>?>(nil)

  convenience init(given: Environment?, parent: OverrideNode?, location: SourceLocation) {
    self.init(
      Given(environment: given, isAssigned: false), parent: parent, location: location)
  }

  private init(_ given: Given, parent: OverrideNode?, location: SourceLocation) {
    self.given = Mutex(given)
    self.parent = parent
    self.location = location
  }

  deinit {
    unsafe made.load(ordering: .acquiring)?.release()
  }

  @_alwaysEmitIntoClient
  var environment: Environment {
    // The cell owns what it made, so it must not go before that is read.
    withExtendedLifetime(self) {
      let made = unsafe made.load(ordering: .acquiring) ?? publish(make())
      return unsafe made._withUnsafeGuaranteedRef {
        unsafe unsafeDowncast($0, to: MadeEnvironment<Environment>.self).environment
      }
    }
  }

  /// Keeps an environment, unless another thread was first; hands out the one that is kept.
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
    let environment = given.withLock { $0.environment }
    if let environment = environment as? any ScopeCapturing {
      return environment.remade(below: parent, at: location) as! Environment
    }
    if let environment { return environment }
    if let type = Environment.self as? any ScopeCapturing.Type {
      return type.made(in: parent.unmarked, at: location) as! Environment
    }
    return CurrentScope.enter(parent.unmarked) { Environment() }
  }

  @usableFromInline
  func replacing(_ environment: Environment) -> DerivedCell {
    derivedEnvironmentsWereAssigned.store(true, ordering: .relaxed)
    return DerivedCell(
      Given(environment: environment, isAssigned: true), parent: parent, location: location)
  }
}

/// What a cell made, of a type that the atomic reference need not look up at each access.
@usableFromInline
class AnyMadeEnvironment: @unchecked Sendable {}  // Immutable. Unchecked because of its subclasses.

// Unchecked, because a subclass must say again what its superclass is; immutable.
@usableFromInline
final class MadeEnvironment<Environment: Sendable>: AnyMadeEnvironment, @unchecked Sendable {
  @usableFromInline let environment: Environment

  @usableFromInline
  init(_ environment: Environment) { self.environment = environment }
}

/// Whether any derived environment of the process was ever assigned; most programs never do that,
/// and need not look for it when they make an environment again.
private let derivedEnvironmentsWereAssigned = Atomic(false)

extension ScopeCapturing {
  /// Gives the derived environments of `copy` what those of `original` were assigned.
  ///
  /// No code can write into the wrappers of a fresh struct of unknown type; but their cells can be
  /// found by reflection, and filled.
  func carryDerivedEnvironments(from original: Self, to copy: Self, at location: SourceLocation) {
    guard derivedEnvironmentsWereAssigned.load(ordering: .relaxed) else { return }
    for (old, new) in zip(Mirror(reflecting: original).children, Mirror(reflecting: copy).children)
    {
      guard let wrapper = old.value as? any DerivedWrapper else { continue }
      wrapper.carry(to: new.value)
    }
  }
}

/// A `DerivedEnvironment` of any type.
private protocol DerivedWrapper {
  func carry(to other: Any)
}

extension DerivedEnvironment: DerivedWrapper {
  fileprivate func carry(to other: Any) {
    guard let other = other as? Self else { return }
    cell.carry(to: other.cell)
  }
}

extension DerivedCell {
  fileprivate func carry(to other: DerivedCell) {
    let given = self.given.withLock { $0 }
    guard given.isAssigned else { return }
    // What is replaced is handed out, so that it is freed after the lock.
    _ = other.given.withLock { current in
      defer { current = given }
      return current
    }
    if unsafe other.made.load(ordering: .relaxed) != nil {
      DependencyIssue(
        problem: """
          The initializer of the environment that derives \(Environment.self) asks for it, so \
          what the original's was assigned is lost in the new environment.
          """,
        remedy: "ask for a derived environment when it is used, not in `init()`.",
        at: location
      ).report()
    }
  }
}
