import ComposableDependencies
import DependencyCarriers
import Foundation

private protocol Number: SendableMetatype {
  static var field: String { get }
  static var text: String { get }
}

private enum Tenant: Number {
  static let field = "tenant"
  static let text = "Acme & Söhne, Köln"
}

private enum Locale: Number {
  static let field = "locale"
  static let text = "de_DE"
}

private enum RequestID: Number {
  static let field = "request-id"
  static let text = "6F1C1A52-9A3E-4B3C-8B1E-2D7E3A0C9F11"
}

private enum Plan: Number {
  static let field = "plan"
  static let text = "paid; until 2027-01-01"
}

private enum Flags: Number {
  static let field = "flags"
  static let text = "new-search,dark mode,100%"
}

private enum Key<Field: Number>: CarriedKey {
  static var defaultValue: String { "" }
  static var field: String { Field.field }
}

/// Five values that travel.
enum CarriedValues {
  private static let scope = DependencyScope.root.with {
    $0[Key<Tenant>.self] = Tenant.text
    $0[Key<Locale>.self] = Locale.text
    $0[Key<RequestID>.self] = RequestID.text
    $0[Key<Plan>.self] = Plan.text
    $0[Key<Flags>.self] = Flags.text
  }

  private static func read(_ scope: DependencyScope) {
    sink(scope[Key<Tenant>.self])
    sink(scope[Key<Locale>.self])
    sink(scope[Key<RequestID>.self])
    sink(scope[Key<Plan>.self])
    sink(scope[Key<Flags>.self])
  }

  static var throughBaggage: Workload {
    let scope = scope
    return Workload { count in
      for _ in 0..<count {
        var baggage = Baggage()
        scope.inject(
          Key<Tenant>.self, Key<Locale>.self, Key<RequestID>.self, Key<Plan>.self, Key<Flags>.self,
          into: &baggage)
        let received = Baggage(opaque(baggage.header()))
        read(
          DependencyScope.root.extracting(
            Key<Tenant>.self, Key<Locale>.self, Key<RequestID>.self, Key<Plan>.self,
            Key<Flags>.self, from: received))
      }
    }
  }

  /// Percent-encodes the same five texts, and decodes them.
  static var byHand: Workload {
    let texts = [Tenant.text, Locale.text, RequestID.text, Plan.text, Flags.text]
    let allowed = CharacterSet(charactersIn: "!"..."~").subtracting(
      CharacterSet(charactersIn: "\",;\\%"))
    return Workload { count in
      for _ in 0..<count {
        for text in texts {
          let encoded = opaque(text).addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
          sink(opaque(encoded).removingPercentEncoding)
        }
      }
    }
  }

  private static let headers = [
    Tenant.field: "acme", Plan.field: "paid", RequestID.field: RequestID.text, "accept": "text",
  ]

  private static func readThree(_ scope: DependencyScope) {
    sink(scope[Key<Tenant>.self])
    sink(scope[Key<RequestID>.self])
    sink(scope[Key<Plan>.self])
  }

  static var extracted: Workload {
    Workload { count in
      for _ in 0..<count {
        let headers = opaque(headers)
        readThree(
          DependencyScope.root.extracting(
            Key<Tenant>.self, Key<RequestID>.self, Key<Plan>.self
          ) { headers[$0] })
      }
    }
  }

  static var overriddenByHand: Workload {
    Workload { count in
      for _ in 0..<count {
        let headers = opaque(headers)
        readThree(
          DependencyScope.root.with { dependencies in
            func set<Field: Number>(_ key: Key<Field>.Type) {
              if let text = headers[key.field], let value = key.decode(text) {
                dependencies[key] = value
              }
            }
            set(Key<Tenant>.self)
            set(Key<RequestID>.self)
            set(Key<Plan>.self)
          })
      }
    }
  }
}
