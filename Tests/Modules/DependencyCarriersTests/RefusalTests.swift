import ComposableDependencies
import DependencyCarriers
import TestSupport
import Testing

private let here = DependencyScope.root.with {
  $0.tenant = "here"
  $0.requestID = 1
}

@Suite("Rule 38: values that are refused")
struct RefusalTests {
  @Test(
    "a malformed field keeps the dependency's value, and only its name is reported",
    arguments: [
      "%", "%4", "%zz", "%%41", "a%", "%80secret", "%C3", "%ED%A0%80", "%F8", "é", "a\u{0}b",
      "a\r\nb", "\u{7F}",
    ])
  func malformed(text: String) {
    let issues = issues {
      #expect(here.extracting(TenantKey.self) { _ in text }.tenant == "here")
      #expect(
        here.extracting(TenantKey.self, fromEnvironment: ["TENANT": text]).tenant == "here")
    }
    #expect(issues.count == 2)
    for issue in issues {
      #expect(issue.problem.contains("`tenant` is malformed"))
      #expect(!"\(issue)".contains("secret") && !"\(issue)".contains(text + "\u{0}"))
      #expect(issue.fileID?.hasSuffix("RefusalTests.swift") == true)
    }
  }

  @Test("a value rejected by decode keeps the dependency's value, and only its name is reported")
  func refused() {
    let issues = issues {
      #expect(here.extracting(RequestIDKey.self) { _ in "-secret" }.requestID == 1)
      let baggage = Baggage("X-Request-ID=-secret")
      #expect(here.extracting(RequestIDKey.self, from: baggage).requestID == 1)
      let variables = ["X_REQUEST_ID": "-secret"]
      #expect(here.extracting(RequestIDKey.self, fromEnvironment: variables).requestID == 1)
    }
    #expect(issues.count == 3)
    #expect(issues.allSatisfy { $0.problem.contains("`X-Request-ID` can't be decoded") })
    #expect(issues.allSatisfy { !"\($0)".contains("secret") })
  }

  @Test("one bad field doesn't keep the others out")
  func others() {
    let issues = issues {
      let fields = ["X-Request-ID": "x", "plan": "gold", "tenant": "acme"]
      let scope = here.extracting(RequestIDKey.self, PlanKey.self, TenantKey.self) { fields[$0] }
      #expect(scope.tenant == "acme")
      #expect(scope.requestID == 1)
      #expect(scope.plan == .free)
    }
    #expect(issues.count == 2)
  }

  @Test("a text of more than 8,192 bytes is neither sent nor accepted")
  func tooLong() {
    let longest = String(repeating: "x", count: 8192)
    let issues = issues {
      let scope = here.extracting(TenantKey.self) { _ in longest }
      #expect(scope.tenant == longest)
      var sent: [String] = []
      scope.inject(TenantKey.self) { sent.append($1 ?? "") }
      #expect(sent == [longest])
    }
    #expect(issues == [])
    let reported = TestSupport.issues {
      #expect(here.extracting(TenantKey.self) { _ in longest + "x" }.tenant == "here")
      let scope = here.with(\.tenant, longest + "é")
      scope.inject(TenantKey.self) { #expect($1 == nil) }
      var variables = ["TENANT": "inherited"]
      scope.inject(TenantKey.self, intoEnvironment: &variables)
      #expect(variables == [:])
    }
    #expect(reported.count == 3)
    #expect(reported.allSatisfy { $0.problem.contains("`tenant`") && !$0.problem.contains("xx") })
  }

  @Test("a field that isn't a token is reported, and doesn't travel", arguments: Carrier.allCases)
  func noToken(carrier: Carrier) {
    enum Empty: CarriedKey {
      static var defaultValue: Int { 1 }
      static let field = ""
    }
    enum Spaced: CarriedKey {
      static var defaultValue: Int { 1 }
      static let field = "re quest\r\nid"
    }
    var fields: [String: String] = [:]
    var baggage = Baggage()
    let issues = issues {
      DependencyScope.root.inject(Empty.self, Spaced.self, PlanKey.self) { fields[$0] = $1 }
      DependencyScope.root.inject(Empty.self, Spaced.self, PlanKey.self, into: &baggage)
      let scope = DependencyScope.root.extracting(Empty.self, Spaced.self) { _ in "2" }
      #expect(scope[Empty.self] == 1 && scope[Spaced.self] == 1)
    }
    #expect(fields == ["plan": "free"])
    #expect(baggage.header() == "plan=free")
    #expect(issues.count == 6)
    #expect(issues.allSatisfy { $0.problem.contains("isn't a token") })
    #expect(issues.contains { $0.problem.contains(#""re quest\r\nid" of Spaced"#) })
  }

  @Test("of two keys with the same field, the first travels and the second is reported")
  func sameField() {
    enum Other: CarriedKey {
      static var defaultValue: String { "other" }
      static let field = "Plan"
    }
    var (fields, variables, baggage) = ([String: String](), [String: String](), Baggage())
    let issues = issues {
      DependencyScope.root.inject(PlanKey.self, Other.self) { fields[$0] = $1 }
      DependencyScope.root.inject(PlanKey.self, Other.self, intoEnvironment: &variables)
      DependencyScope.root.inject(PlanKey.self, PlanKey.self, into: &baggage)
      let scope = DependencyScope.root.extracting(PlanKey.self, Other.self) { _ in "paid" }
      #expect(scope.plan == .paid)
      #expect(scope[Other.self] == "other")
    }
    #expect(fields == ["plan": "free"])
    #expect(variables == ["PLAN": "free"])
    #expect(baggage.header() == "plan=free")
    #expect(issues.count == 4)
    #expect(issues[0].problem.contains("Other has the same field `Plan` as an earlier key"))
    // Names in baggage are case-sensitive.
    DependencyScope.root.inject(PlanKey.self, Other.self, into: &baggage)
    #expect(baggage.header() == "plan=free,Plan=other")
  }
}
