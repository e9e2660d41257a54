import ComposableDependencies
import DependencyCarriers
import DependencyDebugging
import TestSupport
import Testing

@Suite("Rule 38: values that travel")
struct CarryingTests {
  @Test(
    "an injected and extracted value reads the same, with any text", arguments: Carrier.allCases
  )
  func roundTrip(carrier: Carrier) {
    for text in awkwardTexts {
      let scope = DependencyScope.root.with {
        $0.tenant = text
        $0.requestID = .max
        $0.plan = .paid
        $0.trial = .free
        $0.flags = ["a", "b c", "%"]
      }
      let issues = issues {
        let received = carrier.extract(carrier.inject(from: scope), in: .isolated())
        #expect(received.tenant == text)
        #expect(received.requestID == .max)
        #expect(received.plan == .paid)
        #expect(received.trial == .free)
        #expect(received.flags == ["a", "b c", "%"])
      }
      #expect(issues == [])
    }
  }

  @Test("only named keys leave a process", arguments: Carrier.allCases)
  func onlyNamedLeave(carrier: Carrier) {
    let scope = DependencyScope.root.with {
      $0.secret = "hush"; $0.tenant = "acme"
    }
    let fields = carrier.inject(from: scope)
    #expect(!fields.values.contains { $0.contains("hush") })
    var named: [String: String] = [:]
    scope.inject(PlanKey.self) { named[$0] = $1 }
    #expect(named == ["plan": "free"])
  }

  @Test("only named keys enter a process")
  func onlyNamedEnter() {
    var asked: [String] = []
    let scope = DependencyScope.root.extracting(PlanKey.self) { field in
      asked.append(field)
      return "paid"
    }
    #expect(asked == ["plan"])
    #expect(scope.plan == .paid)
    let all = "tenant=evil,plan=paid,X-Request-ID=7"
    let named = DependencyScope.root.extracting(PlanKey.self, from: Baggage(all))
    #expect(named.plan == .paid)
    #expect(named.tenant == nil)
    #expect(named.requestID == 0)
    let variables = ["TENANT": "evil", "PLAN": "paid"]
    #expect(DependencyScope.root.extracting(PlanKey.self, fromEnvironment: variables).tenant == nil)
  }

  @Test("rule 36: an explanation names where a value was extracted")
  func explained() throws {
    let scope = DependencyScope.isolated(usingTestValues: false, recordingPlaces: true)
    let received = scope.extracting(TenantKey.self) { _ in "acme" }; let line: UInt = #line
    let place = try #require(received.explain(\.tenant).entries.first?.place)
    #expect(place.line == line)
    #expect(place.fileID.hasSuffix("CarryingTests.swift"))
  }

  @Test("a value encoded as nil doesn't travel", arguments: Carrier.allCases)
  func encodesToNil(carrier: Carrier) {
    let fields = carrier.inject(from: .root)
    #expect(fields["tenant"] == nil && fields["TENANT"] == nil)
    let here = DependencyScope.root.with(\.tenant, "here")
    #expect(carrier.extract(fields, in: here).tenant == "here")
    #expect(issues { DependencyScope.root.inject(TenantKey.self) { _, _ in } } == [])
  }

  @Test("closures can throw, and their errors are rethrown")
  func throwing() {
    struct Full: Error {}
    #expect(throws: Full.self) {
      try DependencyScope.root.inject(PlanKey.self) { (_, _) throws(Full) in throw Full() }
    }
    var asked: [String] = []
    #expect(throws: Full.self) {
      _ = try DependencyScope.root.extracting(PlanKey.self, TenantKey.self) { field throws(Full) in
        asked.append(field)
        throw Full()
      }
    }
    #expect(asked == ["plan"])
  }

  @Test("the text for a header is visible ASCII, and unchanged where possible")
  func headerText() {
    func text(_ tenant: String) -> String? {
      var text: String?
      DependencyScope.root.with(\.tenant, tenant).inject(TenantKey.self) { text = $1 }
      return text
    }
    #expect(text("de, en;q=0.5") == "de, en;q=0.5")
    #expect(text("a\r\nb") == "a%0D%0Ab")
    #expect(text(" a ") == "%20a%20")
    #expect(text("é") == "%C3%A9")
    #expect(text("50%") == "50%25")
    #expect(text("\u{7F}") == "%7F")
  }
}
