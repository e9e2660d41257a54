public import ComposableDependencies

/// The environment of a child feature, created inside its parent's scope.
///
/// ```swift
/// struct Parent: ComposableEnvironment {
///   let scope = DependencyScope.current
///   @DerivedEnvironment<Child> var child
///   @DerivedEnvironment var offline = Child().with(\.isOnline, false)
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
  ///     ``/ComposableDependencies/AliasBuilder``.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public init(
    aliases: (AliasBuilder) -> AliasBuilder = { $0 },
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(given: nil, aliases: aliases, at: SourceLocation(fileID: fileID, line: line))
  }

  /// Derives a child that has properties or overrides of its own.
  ///
  /// - Parameters:
  ///   - wrappedValue: The child. Its scope is replaced by the parent's scope; overrides set on the
  ///     child itself are kept.
  ///   - aliases: Aliases dependencies in the global store of the parent's scope, when the parent
  ///     is created. So the child's first read already sees the aliases; see
  ///     ``/ComposableDependencies/AliasBuilder``.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public init(
    wrappedValue: Environment,
    aliases: (AliasBuilder) -> AliasBuilder = { $0 },
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(
      given: wrappedValue, aliases: aliases, at: SourceLocation(fileID: fileID, line: line))
  }

  private init(
    given: Environment?, aliases: (AliasBuilder) -> AliasBuilder, at location: SourceLocation
  ) {
    let parent = DependencyScope.entered
    _ = aliases(AliasBuilder(scope: parent, location: location))
    cell = DerivedCell(given: given, parent: parent, location: location)
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
    let children = existing.map { [(label: "wrappedValue" as String?, value: $0 as Any)] } ?? []
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
