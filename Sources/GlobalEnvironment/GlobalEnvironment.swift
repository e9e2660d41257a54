@_exported public import ComposableDependencies

/// An environment that captures nothing: it reads the current scope, and sets values for everyone.
///
/// ```swift
/// struct Settings: GlobalEnvironment {
///   @DerivedEnvironment<Account> var account
/// }
///
/// Settings().with(\.apiClient, .staging)  // for the whole process
/// ```
///
/// Choose it for a program with one set of dependencies; where a part of the program has its own,
/// choose a composable environment. The two can be mixed.
///
/// - Note: A dependency declared with `@Dependency` captures the scope in which the environment was
///   created. What is set globally it sees all the same, unless that scope overrides it.
public protocol GlobalEnvironment: GlobalDependenciesAccessing, DependencyEnvironment {}
