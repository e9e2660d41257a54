public import ComposableDependencies

/// A dependency whose value can travel with a call into another process.
///
/// The key declares the name under which its value travels, and how to write and read it:
///
/// ```swift
/// enum TenantKey: CarriedKey {
///   static let defaultValue: String? = nil
///   static let field = "tenant"
/// }
/// ```
///
/// `encode` and `decode` have defaults if the value, or the wrapped value of an optional, is
/// `LosslessStringConvertible` or a `RawRepresentable` with such a raw value.
///
/// Whether a value may leave the process is a property of its key: a key that isn't a `CarriedKey`
/// can't be named in `inject` or `extracting`.
public protocol CarriedKey: DependencyKey {
  /// The name under which the value travels, such as `tenant` or `x-request-id`.
  ///
  /// It must be an HTTP *token*: letters, digits, and punctuation such as `-`, `.` and `_`, but no
  /// spaces, commas or equal signs. Any other field is reported, and its value doesn't travel.
  static var field: String { get }

  /// Writes a value as text, or returns `nil` for a value that doesn't travel.
  ///
  /// The text can contain anything. Each carrier escapes what it can't hold.
  static func encode(_ value: Value) -> String?

  /// Reads a value that another process wrote, or returns `nil` for text that isn't one.
  ///
  /// Don't trust the text, because anyone can send it. If you return `nil`, the dependency keeps
  /// its value, and an issue that names the field is reported.
  static func decode(_ text: String) -> Value?
}

extension CarriedKey where Value: LosslessStringConvertible {
  /// Writes the description of the value.
  public static func encode(_ value: Value) -> String? { value.description }

  /// Reads a value from its description.
  public static func decode(_ text: String) -> Value? { Value(text) }
}

extension CarriedKey where Value: RawRepresentable, Value.RawValue: LosslessStringConvertible {
  /// Writes the description of the raw value.
  public static func encode(_ value: Value) -> String? { value.rawValue.description }

  /// Reads a value from the description of its raw value.
  public static func decode(_ text: String) -> Value? {
    Value.RawValue(text).flatMap(Value.init(rawValue:))
  }
}

extension CarriedKey {
  /// Writes the description of the value, or returns `nil` for `nil`.
  public static func encode<Wrapped: LosslessStringConvertible>(
    _ value: Value
  ) -> String? where Value == Wrapped? {
    value?.description
  }

  /// Reads a value from its description.
  public static func decode<Wrapped: LosslessStringConvertible>(
    _ text: String
  ) -> Value? where Value == Wrapped? {
    Wrapped(text).map(Optional.some)
  }

  /// Writes the description of the raw value, or returns `nil` for `nil`.
  public static func encode<Wrapped: RawRepresentable>(
    _ value: Value
  ) -> String? where Value == Wrapped?, Wrapped.RawValue: LosslessStringConvertible {
    value?.rawValue.description
  }

  /// Reads a value from the description of its raw value.
  public static func decode<Wrapped: RawRepresentable>(
    _ text: String
  ) -> Value? where Value == Wrapped?, Wrapped.RawValue: LosslessStringConvertible {
    Wrapped.RawValue(text).flatMap(Wrapped.init(rawValue:)).map(Optional.some)
  }
}

/// The maximum length of one value's text, or of a whole baggage header, in bytes.
let longestText = 8192
