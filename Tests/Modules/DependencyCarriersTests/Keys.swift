import DependencyCarriers
import ComposableDependencies

enum TenantKey: CarriedKey {
  static var defaultValue: String? { nil }
  static let field = "tenant"
}

enum RequestIDKey: CarriedKey {
  static var defaultValue: UInt64 { 0 }
  static let field = "X-Request-ID"
}

enum Plan: String, Sendable {
  case free
  case paid
}

enum PlanKey: CarriedKey {
  static var defaultValue: Plan { .free }
  static let field = "plan"
}

enum TrialKey: CarriedKey {
  static var defaultValue: Plan? { nil }
  static let field = "trial"
}

/// A value with its own encoding.
enum FlagsKey: CarriedKey {
  static var defaultValue: Set<String> { [] }
  static let field = "flags"
  static func encode(_ value: Set<String>) -> String? { value.sorted().joined(separator: ",") }
  static func decode(_ text: String) -> Set<String>? {
    Set(text.split(separator: ",").map(String.init))
  }
}

/// Stays in its process.
private enum SecretKey: DependencyKey {
  static var defaultValue: String { "none" }
}

extension Dependencies {
  var tenant: String? {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }

  var requestID: UInt64 {
    get { self[RequestIDKey.self] }
    set { self[RequestIDKey.self] = newValue }
  }

  var plan: Plan {
    get { self[PlanKey.self] }
    set { self[PlanKey.self] = newValue }
  }

  var trial: Plan? {
    get { self[TrialKey.self] }
    set { self[TrialKey.self] = newValue }
  }

  var flags: Set<String> {
    get { self[FlagsKey.self] }
    set { self[FlagsKey.self] = newValue }
  }

  var secret: String {
    get { self[SecretKey.self] }
    set { self[SecretKey.self] = newValue }
  }
}

/// Every way to carry all of the values above from one scope to another.
enum Carrier: CaseIterable, Sendable {
  case closure
  case baggage
  case environment

  /// Returns what crosses: names and texts.
  func inject(from scope: DependencyScope) -> [String: String] {
    var fields: [String: String] = [:]
    switch self {
    case .closure:
      scope.inject(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self
      ) { fields[$0] = $1 }
    case .baggage:
      var baggage = Baggage()
      scope.inject(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self,
        into: &baggage)
      fields["baggage"] = baggage.header()
    case .environment:
      scope.inject(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self,
        intoEnvironment: &fields)
    }
    return fields
  }

  func extract(_ fields: [String: String], in scope: DependencyScope) -> DependencyScope {
    switch self {
    case .closure:
      scope.extracting(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self
      ) { fields[$0] }
    case .baggage:
      scope.extracting(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self,
        from: Baggage(fields["baggage"]))
    case .environment:
      scope.extracting(
        TenantKey.self, RequestIDKey.self, PlanKey.self, TrialKey.self, FlagsKey.self,
        fromEnvironment: fields)
    }
  }
}

/// Texts that break carriers which don't escape.
let awkwardTexts = [
  "", " ", "  a  ", "acme", "a,b;c=d", "100%", "%41", "\"quoted\\\"", "line\r\nSet-Cookie: x=y",
  "\u{0}null", "tab\t", "größe 大きさ 🚀", "e\u{301}", String(repeating: "x", count: 2000),
  String(repeating: "🚀", count: 300), "\u{FFFD}", "\u{7F}", "a=b=c", "{}()[]<>@?/:",
]
