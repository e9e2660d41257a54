import Foundation
import StandardDependencies
import Testing

@Suite("Dates")
struct DateGeneratorTests {
  private let start = Date(timeIntervalSince1970: 1_000)

  @Test("by default, each call returns the system's date")
  func live() {
    let before = Date()
    let first = DependencyScope.current.date.now
    let second = DependencyScope.current.date()
    #expect(before <= first && first <= second && second <= Date())
  }

  @Test("a time that is set is constant, in an override, a scope or a global value")
  func setting() {
    let scope = withDependencies {
      $0.date.now = start
    } operation: {
      DependencyScope.current
    }
    #expect((scope.date.now, scope.date()) == (start, start))
    #expect(scope.with(\.date.now, .distantPast).date() == .distantPast)
    #expect(scope.with(\.date, DateGenerator { .distantPast }).date.now == .distantPast)
    #expect(scope.with { $0.date.now += 1 }.date() == start.addingTimeInterval(1))
    #expect(scope.date() == start)
    let isolated = DependencyScope.isolated()
    isolated.run { Dependencies.setGlobally { $0.date.now = start } }
    #expect(isolated.date.now == start)
    #expect(isolated.with(\.date.now, .distantFuture).run { Dated() }.now == .distantFuture)
  }

  private struct Dated {
    @Dependency(\.date.now) var now
  }

  @Test("an incrementing time grows by its interval at each call, through every copy")
  func incrementing() {
    let scope = DependencyScope.current.with(\.date, .incrementing(from: start, by: 0.5))
    let offsets = [scope.date(), scope.date.now, scope.run { DependencyScope.current.date() }].map {
      $0.timeIntervalSince(start)
    }
    #expect(offsets == [0, 0.5, 1])
    #expect(DateGenerator.incrementing().now == Date(timeIntervalSinceReferenceDate: 0))
  }

  @Test("an interval of a microsecond is long enough for different dates")
  func microseconds() {
    let date = DateGenerator.incrementing(from: Date(timeIntervalSince1970: 4e9), by: 1e-6)
    #expect(Set((0..<1_000).map { _ in date() }).count == 1_000)
  }

  @Test("no two tasks get the same incrementing date")
  func tasks() async {
    let date = DateGenerator.incrementing(from: start)
    let dates = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<100).map { _ in date() } }
      }
      return await group.reduce(into: Set<Date>()) { $0.formUnion($1) }
    }
    #expect(dates == Set((0..<800).map { start.addingTimeInterval(Double($0)) }))
  }
}
