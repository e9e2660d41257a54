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
  var name: [UInt8] = []
  for byte in field.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): name.append(byte - 32)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.append(byte)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if name.isEmpty { name.append(UInt8(ascii: "_")) }
      name.append(byte)
    default: name.append(UInt8(ascii: "_"))
    }
  }
  return String(decoding: name, as: UTF8.self)
}
