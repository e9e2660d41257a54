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
/// A child follows its parent: what is overridden for the parent is overridden for the child. What
/// is overridden for the child itself, in its declaration or as `parent.child[\.isOnline] = false`,
/// holds for it and for all below it, also when the parent is overridden afterwards.
///
/// The child is made when it is first asked for, and kept. Where several threads ask first at the
/// same time, more than one may be made; all of them get the same one. So an environment may derive
/// one that derives it again.
///
/// A copy of the parent keeps the child that the original has, until one of the two sets its own.
@propertyWrapper
public struct DerivedEnvironment<Environment: DependencyEnvironment>: Sendable {
  @usableFromInline let cell: DerivedCell<Environment>

  /// Derives a child, made by its `init()`.
  ///
  /// - Parameters:
  ///   - aliases: Declares which dependencies are one. They are registered with the global store of
  ///     the parent's scope when the parent is created, so the first read of the child is right
  ///     already; see ``AliasBuilder``.
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
  ///   - wrappedValue: The child. The scope that it captured is replaced by its parent's; the
  ///     overrides that were set on the child itself are kept.
  ///   - aliases: Declares which dependencies are one. They are registered with the global store of
  ///     the parent's scope when the parent is created, so the first read of the child is right
  ///     already; see ``AliasBuilder``.
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
    let parent = CurrentScope.node
    _ = aliases(AliasBuilder(scope: DependencyScope(node: parent), location: location))
    cell = DerivedCell(given: given, parent: parent, location: location)
  }

  @usableFromInline
  init(cell: DerivedCell<Environment>) {
    self.cell = cell
  }

  /// The child; one that is set follows this parent from then on.
  @_alwaysEmitIntoClient
  public var wrappedValue: Environment {
    get { cell.environment }
    set { self = DerivedEnvironment(cell: cell.replacing(newValue)) }
  }
}
