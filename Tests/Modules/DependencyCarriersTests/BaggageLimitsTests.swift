import ComposableDependencies
import TestSupport
import Testing

@testable import DependencyCarriers

@Suite("The limits of baggage")
struct BaggageLimitsTests {
  private func list(_ count: Int, _ value: String = "value") -> String {
    (0..<count).map { "key\($0)=\(value)" }.joined(separator: ",")
  }

  @Test("64 members and 8,192 bytes are passed on, in one header or several")
  func within() {
    let halves = [
      "a=" + String(repeating: "x", count: 4094), "b=" + String(repeating: "y", count: 4093),
    ]
    #expect(halves.joined(separator: ",").utf8.count == 8192)
    let issues = issues {
      for headers in [list(64).split(separator: ",").map(String.init), halves] {
        let whole = headers.joined(separator: ",")
        #expect(Baggage(whole).header() == whole)
        #expect(Baggage(headers).header() == whole)
      }
    }
    #expect(issues == [])
  }

  @Test("members beyond the limit are ignored and reported, and a cut one isn't half read")
  func beyond() {
    let issues = issues {
      #expect(Baggage(list(65)).header() == list(64))
      #expect(Baggage("a=1,b=" + String(repeating: "x", count: 8187)).header() == "a=1")
      #expect(Baggage("b=" + String(repeating: "x", count: 8191)).header() == nil)
      let headers = ["a=1", "b=" + String(repeating: "x", count: 8187)]
      #expect(Baggage(headers).header() == "a=1")
      #expect(Baggage(headers).count == 1, "the comma between two headers counts")
      #expect(Baggage([String(repeating: " ", count: 8192), "a=1"]).header() == nil)
      let full = "b=" + String(repeating: "x", count: 8190)
      #expect(Baggage(full + ",a=1").header() == full)
    }
    #expect(issues.count == 7)
    #expect(issues.allSatisfy { $0.problem.contains("more than 64 members or 8,192 bytes") })
  }

  @Test("a header has 8,192 bytes with the commas between its members, and not one more")
  func exactly() {
    func header(_ length: Int) -> String? {
      var baggage = Baggage("other=1")
      DependencyScope.root.with { $0.tenant = String(repeating: "x", count: length) }
        .inject(TenantKey.self, into: &baggage)
      return baggage.header()
    }
    let rest = "tenant=,other=1".utf8.count
    let issues = issues {
      #expect(header(8192 - rest)?.utf8.count == 8192)
      #expect(header(8193 - rest)?.hasSuffix("x") == true)
    }
    #expect(issues.count == 1)
  }

  @Test("a header that is too long leaves out the last members, and reports them")
  func leftOut() {
    var baggage = Baggage("other=1,\(list(62))")
    let scope = DependencyScope.root.with {
      $0.tenant = String(repeating: "x", count: 8192)
      $0.plan = .paid
      $0.trial = .free
    }
    scope.inject(TenantKey.self, PlanKey.self, TrialKey.self, RequestIDKey.self, into: &baggage)
    var header: String?
    let issues = issues { header = baggage.header() }
    #expect(header == "plan=paid,trial=free,X-Request-ID=0,other=1,\(list(60))")
    #expect(issues.count == 1)
    #expect(issues[0].problem.contains("left out: `tenant`, 2 from other programs."))
    #expect(!issues[0].problem.contains("xx"))
  }
}
