extension CarriedKey {
  /// The name of the environment variable in which the value travels.
  ///
  /// It is ``field`` in upper case, with underscores instead of everything except letters and
  /// digits, and an underscore before a leading digit: `x-tenant` travels in `X_TENANT`.
  /// OpenTelemetry names environment variables in the same way.
  ///
  /// - Important: Don't give a key a field such as `path` or `home`.
  public static var environmentVariable: String { environmentName(of: field) }
}

func environmentName(of field: String) -> String {
  let name = field.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
  return String(name.first?.isNumber == true ? ["_"] + name : name)
}
