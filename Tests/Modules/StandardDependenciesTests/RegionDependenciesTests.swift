import Foundation
import StandardDependencies
import Testing

@Suite("Calendar, locale and time zone")
struct RegionDependenciesTests {
  @Test("by default they are the user's")
  func defaults() {
    #expect(DependencyScope.current.calendar == .autoupdatingCurrent)
    #expect(DependencyScope.current.locale == .autoupdatingCurrent)
    #expect(DependencyScope.current.timeZone == .autoupdatingCurrent)
    let languages = DependencyScope.current.preferredLocales.map(\.identifier)
    #expect(languages == Locale.preferredLanguages.map { Locale(identifier: $0).identifier })
  }

  @Test("each can be overridden")
  func overridden() throws {
    let zone = try #require(TimeZone(secondsFromGMT: 3_600))
    let scope = DependencyScope.current.with {
      $0.calendar = Calendar(identifier: .coptic)
      $0.locale = Locale(identifier: "fr_CH")
      $0.preferredLocales = [Locale(identifier: "de_CH"), Locale(identifier: "it_CH")]
      $0.timeZone = zone
    }
    #expect(scope.calendar == Calendar(identifier: .coptic))
    #expect(scope.locale.identifier == "fr_CH")
    #expect(scope.preferredLocales.map(\.identifier) == ["de_CH", "it_CH"])
    #expect(scope.timeZone == zone)
  }
}
