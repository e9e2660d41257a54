public import ComposableDependencies

/// A dependency that is made once from others, and shared wherever these are the same.
///
/// Use it for a value that is expensive or has identity, such as a client:
///
/// ```swift
/// enum HTTPClientKey: SharedKey {
///   static func make(_ needs: SharedInputs) -> HTTPClient {
///     HTTPClient(session: needs[\.session], baseURL: needs[\.baseURL])
///   }
/// }
///
/// extension Dependencies {
///   var httpClient: HTTPClient {
///     get { self[HTTPClientKey.self] }
///     set { self[HTTPClientKey.self] = newValue }
///   }
/// }
/// ```
///
/// An equal value that is set again is another override, so it has another instance.
///
/// Two scopes share an instance exactly if everything that ``make(_:)`` asked `needs` for is the same
/// in both: the same override, the same global value, or the default. A scope that overrides one of
/// these inputs has an instance of its own. It is freed with that override. An instance that was made
/// from no override belongs to the global store, which frees it when one of its inputs is set or
/// aliased.
///
/// You override a shared dependency like any other. In a scope made for a test it
/// reads its `DependencyKey.testValue`, which is the shared instance unless
/// you declare another.
///
/// Reading an instance that exists allocates nothing. It takes a lock that few threads share, and about
/// as long as five reads of overridden dependencies, and one or two more for each input.
public protocol SharedKey<Value>: DependencyKey {
  /// The type of the instance.
  associatedtype Value = Self

  /// Makes an instance from other dependencies.
  ///
  /// The library holds no lock meanwhile. If several threads ask first, more than one may run it. One
  /// instance is kept, and all threads get that one.
  ///
  /// Ask `needs` for everything that the instance depends on: only that decides which scopes share it.
  /// Inside `make`, the current scope overrides nothing, so any other read finds a global value or a
  /// default, and a debug build reports it. An instance that captures that scope, such as in a
  /// `Dependency` property, reads the same later.
  ///
  /// Don't make shared keys from each other: like defaults that read each other, they recurse without
  /// end.
  ///
  /// - Parameter needs: Provides the dependencies that the instance is made from.
  static func make(_ needs: SharedInputs) -> Value
}

/// The source of dependencies for the `make` of a shared key.
///
/// ```swift
/// static func make(_ needs: SharedInputs) -> HTTPClient {
///   HTTPClient(session: needs[\.session], baseURL: needs[\.baseURL])
/// }
/// ```
public struct SharedInputs: Sendable {
  let scope: DependencyScope

  /// The value of a dependency in the scope that is read.
  ///
  /// It is an input of the instance. If it is a default, so is everything that the default reads.
  public subscript<Value>(keyPath: KeyPath<Dependencies, Value>) -> Value {
    scope[keyPath]
  }

  /// The value of a key without a property, in the scope that is read.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    scope[key]
  }
}

extension SharedKey {
  /// The instance for the current scope.
  @_alwaysEmitIntoClient
  public static var defaultValue: Value {
    var value: Value?
    // Sound: what a key makes is of its type of value.
    SharedInstance.read(of: self) { value = $0.value(as: Value.self) }
    return value!
  }
}

@usableFromInline
enum SharedInstance {
  /// Calls `body` with the instance of a shared key for the current scope.
  ///
  /// Not generic, so that it is compiled once.
  @usableFromInline
  static func read(of key: any SharedKey.Type, _ body: (Override) -> Void) {
    let scope = DependencyScope.current
    let isRead = scope.withAttachment {
      SharedInstances()
    } _: { attachment in
      // Sound: no other module of this package attaches anything.
      let instances = unsafe unsafeDowncast(attachment, to: SharedInstances.self)
      if !instances.find(key, in: scope, body) { body(key.made(for: scope, in: instances)) }
    }
    if !isRead { body(key.made(for: scope, in: nil)) }
  }
}

extension SharedKey {
  /// Makes an instance, and returns the one that is kept.
  fileprivate static func made(
    for scope: DependencyScope, in instances: SharedInstances?
  ) -> Override {
    let (probe, inputs) = scope.probed(countsReads: true, readAfterEnd: reportRead)
    let reporting = scope.overrides.filter { $0.key is any ReportingKey.Type }
    let value = scope.bare(reportingReads: reportRead).with(reporting).run {
      make(SharedInputs(scope: inputs))
    }
    let instance = Override.make(self, value)
    let read = probe.end()
    return instances?.keep(instance, from: read, in: scope) ?? instance
  }

  @Sendable private static func reportRead(of key: any DependencyKey.Type) {
    #if DEBUG
      DependencyIssue(
        problem: """
          `make` of `\(Self.self)`, or a value that it created, reads `\(key)` without `needs`, so \
          overrides of `\(key)` aren't seen.
          """,
        remedy: "read `\(key)` in `make` from `needs`, and pass the value to what it creates.",
        at: nil
      ).report()
    #endif
  }
}
