import ComposableDependencies
import Foundation
import TestSupport
import Testing

@Suite("Defaults")
struct DefaultsTests {
  @Test("rule 11: a default is computed in the scope that is being read")
  func computedInTheScopeBeingRead() {
    let scope = DependencyScope.root.with(\.a, 10)
    #expect(DependencyScope.root.double == 2)
    #expect(scope.double == 20)
    #expect(scope.with(\.a, 11).run { scope.double } == 20)
    #expect(scope.with { $0.b = $0.double }.b == 20)
    #expect(scope.run { DependencyScope.root.double } == 2)
    #expect(scope.run { DependencyScope.current.double } == 20)
    #expect(scope.run { DependencyScope.isolated().double } == 2)
  }

  @Test("rule 11: a default is computed at each read without an override or a global value")
  func askedForAtEachRead() {
    let counter = Counter()
    let scope = DependencyScope.isolated().with(\.counter, counter)
    #expect((scope.ticket, scope.ticket, scope.ticket) == (1, 2, 3))
    scope.run {
      withDependencies {
        $0.ticket = 100
      } operation: {
        #expect((DependencyScope.current.ticket, scope.ticket) == (100, 4))
      }
    }
    scope.setGlobally(\.ticket, 200)
    let before = scope.counter.count
    #expect((scope.ticket, scope.ticket) == (200, 200))
    #expect(scope.counter.count == before)
    scope.run { Dependencies.resetGlobalValues() }
    #expect((scope.ticket, scope.ticket) == (before + 1, before + 2))
  }

  @Test("rule 11: a default can set global values, declare aliases and enter scopes")
  func noLockIsHeld() {
    let scope = DependencyScope.isolated()
    scope.setGlobally(\.c, 30)
    #expect(scope.meddler == 31)
    #expect(scope.a == 7)
    #expect(scope.b == 7)
  }

  @Test("rule 11: in a process of tests, the default is the test value")
  func testValues() async {
    let scope = DependencyScope.isolated(usingTestValues: true)
    #expect(scope.mailer == "test")
    #expect(DependencyScope.isolated().mailer == "test")
    #expect(DependencyScope.root.mailer == "test")
    #expect(DependencyScope.current.mailer == "test")
    #expect(await Task.detached { DependencyScope.current.mailer }.value == "test")
    #expect(scope.with(\.mailer, "override").mailer == "override")
    #expect(scope.a == 1, "a key without a test value has its default")
    scope.setGlobally(\.mailer, "global")
    #expect(scope.mailer == "global")
  }

  @Test("rule 11: a store that uses default values does so in every scope, and changes no other")
  func defaultValues() {
    let scope = DependencyScope.isolated()
    let captured = scope.with(\.a, 1)
    scope.run {
      Dependencies.useDefaultValues()
      #expect(DependencyScope.isolated().mailer == "live")
    }
    #expect(scope.mailer == "live")
    #expect(captured.mailer == "live")
    #expect(DependencyScope.root.mailer == "test")
    #expect(DependencyScope.isolated().mailer == "test")
  }

  #if DEBUG
    @Test("rule 11: defaults that read each other are reported by name, and stop a debug build")
    func cycle() async throws {
      let result = try await #require(
        processExitsWith: .failure,
        observing: [\.standardErrorContent, \.standardOutputContent]
      ) {
        DependencyIssue.replaceHandler {
          FileHandle.standardOutput.write(Data("Reported: \($0.problem)".utf8))
        }
        onSmallStack { _ = DependencyScope.root.with(\.a, 10)[FirstKey.self] }
      }
      // It is noticed at any of them.
      let cycles = [
        "FirstKey reads SecondKey, which reads ThirdKey, which reads FirstKey",
        "SecondKey reads ThirdKey, which reads FirstKey, which reads SecondKey",
        "ThirdKey reads FirstKey, which reads SecondKey, which reads ThirdKey",
      ]
      let (error, output) = (result.standardErrorContent, result.standardOutputContent)
      let (fatal, reported) = (
        String(decoding: error, as: UTF8.self), String(decoding: output, as: UTF8.self)
      )
      #expect(cycles.contains { fatal.contains("The default of \($0)") })
      #expect(cycles.contains { reported.contains("Reported: The default of \($0)") })
    }
  #endif

  @Test("a default can read itself in other scopes, as long as that ends")
  func recursion() {
    #expect(DependencyScope.root.with(\.a, 60).countdown == 60)
  }

  @Test("a default can start a task that reads it again, any number of times")
  func polling() async {
    let rounds = Rounds()
    await withDependencies {
      $0[Rounds.self] = rounds
    } operation: {
      _ = DependencyScope.current[PollingKey.self]
      #expect(await rounds.last.wait(atMost: .seconds(600)))
    }
    #expect(rounds.counter.count == 100)
  }

  @Test("the metatype of a subclass stands for the key of its superclass")
  func subclassMetatypes() {
    let key: Animal.Type = Dog.self
    let scope = DependencyScope.root.with { $0[key] = Animal(legs: 3) }
    #expect((scope[key].legs, scope[Animal.self].legs) == (3, 3))
    #expect(DependencyScope.root[key].legs == 4)
    #expect(scope.run { DependencyScope.root[key].legs } == 4)
    #expect(scope.run { DependencyScope.isolated()[key].legs } == 4)
  }
}

/// Tasks that each start the next one.
private final class Rounds: DependencyKey, Sendable {
  static var defaultValue: Rounds { Rounds() }
  let counter = Counter()
  let last = Signal()
}

private enum PollingKey: DependencyKey {
  static var defaultValue: Int {
    let rounds = DependencyScope.current[Rounds.self]
    let round = rounds.counter.next()
    if round == 100 { rounds.last.raise() }
    if round < 100 { Task { _ = DependencyScope.current[PollingKey.self] } }
    return round
  }
}

private enum TicketKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current.counter.next() }
}

private enum MeddlerKey: DependencyKey {
  static var defaultValue: Int {
    let scope = DependencyScope.current
    scope.setGlobally(\.a, 7)
    scope.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    return scope.with(\.d, scope.c + 1).run { DependencyScope.current.d }
  }
}

extension Dependencies {
  fileprivate var ticket: Int {
    get { self[TicketKey.self] }
    set { self[TicketKey.self] = newValue }
  }

  fileprivate var meddler: Int { self[MeddlerKey.self] }
}

private enum CountdownKey: DependencyKey {
  static var defaultValue: Int {
    let rest = DependencyScope.current.a
    if rest == 0 { return 0 }
    return 1
      + withDependencies({ $0.a = rest - 1 }, operation: { DependencyScope.current.countdown })
  }
}

private class Animal: DependencyKey, @unchecked Sendable {
  let legs: Int
  init(legs: Int) { self.legs = legs }
  class var defaultValue: Animal { Animal(legs: 4) }
}

private final class Dog: Animal, @unchecked Sendable {
  override class var defaultValue: Animal { Animal(legs: 5) }
}

extension Dependencies {
  fileprivate var countdown: Int { self[CountdownKey.self] }
}

// These read each other in a new scope each time.

private enum FirstKey: DependencyKey {
  static var defaultValue: Int { DependencyScope.current[SecondKey.self] }
}

private enum SecondKey: DependencyKey {
  static var defaultValue: Int {
    withDependencies({ $0.a += 1 }, operation: { DependencyScope.current[ThirdKey.self] })
  }
}

private enum ThirdKey: DependencyKey {
  static var defaultValue: Int {
    DependencyScope.current.with(\.b, DependencyScope.current.a)[FirstKey.self]
  }
}
