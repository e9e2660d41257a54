/// The content of W3C `baggage` headers: values of several dependencies, and of other programs.
///
/// Create an empty one to send only what you inject:
///
/// ```swift
/// var baggage = Baggage()
/// DependencyScope.current.inject(TenantKey.self, into: &baggage)
/// headers["baggage"] = baggage.header()
/// ```
///
/// To forward what other programs sent, inject into the baggage that you received. Their members
/// stay unchanged, byte for byte, including their properties.
///
/// The properties of a member (`tenant=acme;ttl=30`) aren't part of its value, and are ignored when
/// a dependency is read.
public struct Baggage: Sendable {
  /// The injected members.
  var injected: [(field: String, text: String)] = []

  /// The received members, except those that an injected member replaced.
  var received: [ReceivedMember] = []

  /// Creates baggage without members.
  public init() {}

  /// The number of members.
  public var count: Int { injected.count + received.count }

  /// Whether there are no members.
  public var isEmpty: Bool { count == 0 }
}

/// A member as received, and its key and value.
struct ReceivedMember {
  let key: ArraySlice<UInt8>
  let value: ArraySlice<UInt8>
  let all: ArraySlice<UInt8>

  func isNamed(_ field: String) -> Bool { key.elementsEqual(field.utf8) }
}

extension Baggage {
  /// Replaces every member with a name, or removes them if `text` is `nil`.
  mutating func set(_ field: String, to text: String?) {
    injected.removeAll { $0.field == field }
    received.removeAll { $0.isNamed(field) }
    guard let text else { return }
    injected.append((field, text))
  }

  /// The value of the member with a name, or `nil` if there is none.
  func value(of field: String) -> Received? {
    if let member = injected.first(where: { $0.field == field }) { return .text(member.text) }
    guard let index = received.firstIndex(where: { $0.isNamed(field) }) else { return nil }
    if received[(index + 1)...].contains(where: { $0.isNamed(field) }) { return .ambiguous }
    let member = received[index]
    return percentDecoded(member.value).map { .text($0) } ?? .malformed
  }
}

extension Baggage: CustomStringConvertible, CustomReflectable {
  /// The number of members.
  ///
  /// Values may be secrets, so they aren't shown.
  public var description: String { "Baggage(\(count) members)" }

  /// A mirror without the values.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
