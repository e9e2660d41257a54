@_exported public import ComposableCasePaths

prefix operator /

/// Creates the case path of a case with a payload of one or several values, with or without labels.
///
/// ```swift
/// enum AppAction {
///   case profile(ProfileAction)
///   case move(x: Int, y: Int)
///   case set(width: Int), set(height: Int)
/// }
///
/// let profile = /AppAction.profile    // CasePath<AppAction, ProfileAction>
/// let move = /AppAction.move          // CasePath<AppAction, (Int, Int)>
/// let width = /AppAction.set(width:)  // CasePath<AppAction, Int>
/// ```
///
/// The path compares the tag of a root and copies the payload. So it never confuses cases,
/// regardless of their names, labels and payloads, and of the enum's description and mirror. With a
/// type like `CasePath<AppAction?, ProfileAction>`, the path goes through the optional.
///
/// The operand must be a case itself, and the path's value type must be exactly its payload,
/// ignoring labels. Otherwise, the path reports an issue and never extracts a value:
/// - When you create the path, if no case has a payload of the value's type, because the compiler
///   converted the operand. Examples are a path of a specific error for a case with `any Error`, a
///   path of a subclass for a case with a class, and a path of the wrapped value for a case with an
///   `AnyHashable` or an optional. Also if the payload contains a function or a metatype.
/// - At the first use, if another case has this payload type, or if the operand is a function that
///   changes the value that it embeds. The latter is detected only if the payload is `Equatable`.
///
/// For these payloads, write the path with closures.
///
/// In a release build, extracting takes about 20 ns, compared to 4 ns with closures. Creating a path
/// takes about 200 ns, and more for the first path of an enum, so keep paths that you use often.
#if arch(wasm32) || _ptrauth(_arm64e)
  @available(
    *, unavailable, message: "reflection doesn't work here: write `CasePath(embed:extract:)`"
  )
#endif
@inlinable
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> CasePath<Root, Value> {
  CasePath(embed)
}

/// Creates the case path of a case without a payload.
///
/// ```swift
/// let path: CasePath<AppAction, Void> = /AppAction.reset
/// ```
///
/// The operand is a case. A value with a payload stands for its case, with any payload, and reports
/// an issue. With a type like `CasePath<AppAction?, Void>`, the path goes through the optional.
/// Extracting takes about ten nanoseconds.
///
/// - Returns: The path, never `nil`. It is implicitly unwrapped because the compiler would
///   otherwise use this operator for cases with a payload, too. So a variable needs its type
///   spelled out, as above.
#if arch(wasm32) || _ptrauth(_arm64e)
  @available(
    *, unavailable, message: "reflection doesn't work here: write `CasePath(embed:extract:)`"
  )
#endif
@_disfavoredOverload
public prefix func / <Root>(
  root: @autoclosure @escaping @Sendable () -> Root
) -> CasePath<Root, Void>! {
  CaseReflection.path(of: root)
}

/// Creates a function that extracts the payload of a case.
///
/// ```swift
/// actions.compactMap(/AppAction.profile)
/// ```
#if arch(wasm32) || _ptrauth(_arm64e)
  @available(
    *, unavailable, message: "reflection doesn't work here: write `CasePath(embed:extract:)`"
  )
#endif
@inlinable
@_disfavoredOverload
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> @Sendable (Root) -> Value? {
  let path = CasePath(embed)
  return { path.extract(from: $0) }
}

extension CasePath {
  /// Creates the case path of a case with a payload, like the prefix operator `/`.
  ///
  /// ```swift
  /// CasePath(AppAction.profile)
  /// ```
  #if arch(wasm32) || _ptrauth(_arm64e)
    @available(
      *, unavailable, message: "reflection doesn't work here: write `CasePath(embed:extract:)`"
    )
  #endif
  @inlinable
  public init(_ embed: @escaping @Sendable (Value) -> Root) {
    let reflected = ReflectedCase(embed)
    self.init {
      reflected.embed($0)
    } extract: {
      reflected.extract(from: $0)
    }
  }
}
