prefix operator /

/// The case path of a case with a payload: one value or several, with labels or without.
///
/// ```swift
/// enum AppAction {
///   case profile(ProfileAction)
///   case move(x: Int, y: Int)
///   case set(width: Int), set(height: Int)
/// }
/// /AppAction.profile      // CasePath<AppAction, ProfileAction>
/// /AppAction.move         // CasePath<AppAction, (Int, Int)>
/// /AppAction.set(width:)  // CasePath<AppAction, Int>
/// ```
///
/// The operand is a case itself, not a closure that builds one. Which case a root is in is read
/// from its tag, so cases are never confused, whatever their names, labels and payloads. With a type
/// like `CasePath<AppAction?, ProfileAction>` the optional is seen through, except for a payload of
/// the enum's own type, which stands for the wrapped value: append two paths there.
///
/// Extracting costs some ten nanoseconds from another case, and one or two microseconds from the
/// case itself, against some three with closures. Making a path costs a hundred: keep one that is
/// used often.
///
/// Reflection cannot read the payloads of an enum that is `CustomReflectable`, nor a payload that
/// is a function or a metatype, or a tuple or an optional of one: there an issue is reported when
/// the path is made, and nothing is ever extracted. Write `CasePath(embed:extract:)`.
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> CasePath<Root, Value> {
  CasePath(embed: embed, extract: CaseReflection.extraction(embed: embed))
}

/// The case path of a case without a payload.
///
/// ```swift
/// let path: CasePath<AppAction, Void> = /AppAction.reset
/// ```
///
/// The operand is a case: a value of a case with a payload stands for that case, whatever its
/// payload; an issue is reported. Extracting costs some ten nanoseconds, and reflects nothing;
/// making the path reflects once.
///
/// - Returns: The path; never nothing. It is implicitly unwrapped because the compiler would
///   otherwise take this operator for cases with a payload too, so a variable needs its type spelled
///   out, as above.
@_disfavoredOverload
public prefix func / <Root>(
  root: @autoclosure @escaping @Sendable () -> Root
) -> CasePath<Root, Void>! {
  CasePath(embed: root, extract: CaseReflection.extraction(of: root()))
}

/// The path from a type's values to themselves: `/AppAction.self`.
public prefix func / <Root>(type: Root.Type) -> CasePath<Root, Root> {
  .identity
}

/// The path from a value to itself, where its type is known: `/.self`.
public prefix func / <Root>(itself: _Itself<Root>) -> CasePath<Root, Root> {
  .identity
}

/// What `.self` stands for in `/.self`, and nowhere else.
public enum _Itself<Root> {
  case `self`
}
