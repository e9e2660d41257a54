import ComposableDependencies
import TestSupport
import Testing

@testable import DependencyCarriers

private enum SomeKey: CarriedKey {
  static var defaultValue: String { "default" }
  static let field = "SomeKey"
}

private enum SomeKey2: CarriedKey {
  static var defaultValue: String { "default" }
  static let field = "SomeKey2"
}

private func read(_ headers: String...) -> [String] {
  let scope = DependencyScope.root.extracting(
    SomeKey.self, SomeKey2.self, from: Baggage(headers))
  return [scope[SomeKey.self], scope[SomeKey2.self]]
}

@Suite("W3C baggage")
struct BaggageTests {
  // The test suite of the specification.
  @Test(
    "the specification's headers read as specified",
    arguments: [
      ("SomeKey=SomeValue", ["SomeValue", "default"]),
      ("SomeKey=SomeValue,SomeKey2=SomeValue2", ["SomeValue", "SomeValue2"]),
      (
        "SomeKey=SomeValue;SomeProp,SomeKey2=SomeValue2;ValueProp=PropVal",
        ["SomeValue", "SomeValue2"]
      ),
      (
        """
        SomeKey \t = \t SomeValue \t ; \t SomeProp \t , \t SomeKey2 \t = \t SomeValue2 \t ; \t \
        ValueProp \t = \t PropVal
        """, ["SomeValue", "SomeValue2"]
      ),
      (
        "SomeKey=SomeValue;SomePropKey=SomePropValue,SomeKey2=SomeValue2;SomePropKey2=SomePropValue2",
        ["SomeValue", "SomeValue2"]
      ),
      (
        """
        SomeKey \t = \t SomeValue \t ; \t SomePropKey=SomePropValue \t , \t SomeKey2 \t = \t \
        SomeValue2 \t ; \t SomePropKey2 \t = \t SomePropValue2
        """, ["SomeValue", "SomeValue2"]
      ),
      ("SomeKey=SomeValue=equals", ["SomeValue=equals", "default"]),
      (
        "SomeKey=%09%20%22%27%3B%3Dasdf%21%40%23%24%25%5E%26%2A%28%29",
        ["\t \"';=asdf!@#$%^&*()", "default"]
      ),
      (
        "SomeKey \t = \t %09%20%22%27%3B%3Dasdf%21%40%23%24%25%5E%26%2A%28%29 \t ",
        ["\t \"';=asdf!@#$%^&*()", "default"]
      ),
      ("SomeKey \t = \t SomeValue \t ", ["SomeValue", "default"]),
      ("SomeKey=SomeValue;SomeProp;SecondProp=PropValue", ["SomeValue", "default"]),
      (
        "SomeKey \t = \t SomeValue \t ; \t SomeProp \t ; \t SecondProp \t = \t PropValue",
        ["SomeValue", "default"]
      ),
    ])
  func specification(header: String, values: [String]) {
    let issues = issues { #expect(read(header) == values) }
    #expect(issues == [])
  }

  @Test("the specification's value with every kind of character is written as it asks")
  func specificationWrites() {
    let value = "\t \"';=asdf!@#$%^&*()"
    var baggage = Baggage()
    DependencyScope.root.with { $0[SomeKey.self] = value }.inject(SomeKey.self, into: &baggage)
    // A baggage octet needs no percent-encoding, so the specification's own encoder does more.
    let header = baggage.header()
    #expect(header == "SomeKey=%09%20%22'%3B=asdf!@#$%25^&*()")
    #expect(read(header ?? "") == [value, "default"])
  }

  @Test("several headers are one list")
  func severalHeaders() {
    #expect(read("SomeKey=a", "SomeKey2=b") == ["a", "b"])
    #expect(read("", "SomeKey2=b", " , ,") == ["default", "b"])
    #expect(Baggage(["a=1", "b=2,c=3"]).header() == "a=1,b=2,c=3")
  }

  @Test("missing and empty headers are valid baggage without members")
  func empty() {
    #expect(Baggage().isEmpty && Baggage(nil).isEmpty)
    let issues = issues {
      for headers in [[], [""], [" \t"], ["", ","]] {
        let baggage = Baggage(headers)
        #expect(baggage.isEmpty)
        #expect(baggage.header() == nil)
        let scope = DependencyScope.root.extracting(SomeKey.self, from: baggage)
        #expect(scope[SomeKey.self] == "default")
      }
    }
    #expect(issues == [])
  }

  @Test(
    "a malformed member is ignored, and the others are read",
    arguments: ["SomeKey", "Some Key=a", "SomeKey=é", "SomeKey=a%%41", "SomeKey=a;p=%", "Größe=a"])
  func malformed(member: String) {
    let issues = issues {
      #expect(read("\(member),SomeKey2=b") == ["default", "b"])
      #expect(read("SomeKey2=b", member) == ["default", "b"])
      #expect(Baggage("x=1,\(member) , SomeKey2=b;p").header() == "x=1,SomeKey2=b;p")
    }
    #expect(issues.count == 3)
    #expect(Set(issues.map(\.problem)).count == 1)
    #expect(issues[0].problem.contains("malformed members"))
  }

  @Test("a name that occurs more than once is rejected")
  func duplicates() {
    let issues = issues {
      #expect(read("SomeKey=a,SomeKey2=c,SomeKey=b") == ["default", "c"])
      #expect(read("SomeKey=a", "SomeKey=a") == ["default", "default"])
    }
    #expect(issues.count == 2)
    #expect(issues.allSatisfy { $0.problem.contains("`SomeKey` occurs more than once") })
  }

  @Test("members of other programs are forwarded byte for byte")
  func passedOn() {
    var baggage = Baggage("one \t=  1%20;p ;q = r,\tSomeKey=old;p,two=%fF=,one=2 ")
    DependencyScope.root.with { $0[SomeKey.self] = "new" }.inject(SomeKey.self, into: &baggage)
    #expect(baggage.header() == "SomeKey=new,one \t=  1%20;p ;q = r,two=%fF=,one=2")
    var fresh = Baggage()
    DependencyScope.root.inject(SomeKey.self, into: &fresh)
    #expect(fresh.header() == "SomeKey=default")
  }

  @Test("a value that doesn't travel removes the member that was received")
  func removed() {
    var baggage = Baggage("tenant=theirs,other=1")
    DependencyScope.root.inject(TenantKey.self, into: &baggage)
    #expect(baggage.header() == "other=1")
    DependencyScope.root.with(\.tenant, "a").inject(TenantKey.self, into: &baggage)
    DependencyScope.root.with(\.tenant, "b").inject(TenantKey.self, into: &baggage)
    #expect(baggage.header() == "tenant=b,other=1")
    #expect(baggage.count == 2)
  }

  @Test("a description shows no value")
  func description() {
    var baggage = Baggage("other=hush")
    DependencyScope.root.with(\.tenant, "hush").inject(TenantKey.self, into: &baggage)
    var dumped = ""
    dump(baggage, to: &dumped)
    #expect("\(baggage) \(String(reflecting: baggage))\(dumped)".contains("hush") == false)
    #expect("\(baggage)" == "Baggage(2 members)")
  }
}
