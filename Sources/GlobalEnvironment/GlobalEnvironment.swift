@_exported public import ComposableDependencies
@_exported public import Environments

/// An environment that captures nothing: it reads the current scope, and sets values globally.
///
/// ```swift
/// struct Settings: GlobalEnvironment {
///   @DerivedEnvironment<Account> var account
/// }
///
/// Settings().with(\.apiClient, .staging)  // for the whole process
/// ```
///
/// Choose it for a program with one set of dependencies. If a part of the program needs its own,
/// choose a composable environment. You can mix the two.
///
/// - Note: A dependency declared with `@Dependency` captures the scope in which the environment is
///   created. It still sees values set globally, unless that scope overrides them.
public protocol GlobalEnvironment: GlobalDependenciesAccessing, DependencyEnvironment {}
