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

  @Test("they are overridden")
  func overridden() throws {
    let scope = DependencyScope.current.with {
      $0.calendar = Calendar(identifier: .gregorian)
      $0.calendar.timeZone = .gmt
      $0.locale = Locale(identifier: "en_US_POSIX")
      $0.timeZone = .gmt
      $0.preferredLocales = [Locale(identifier: "fr_FR")]
    }
    let date = Date(timeIntervalSince1970: 0)
    #expect(scope.calendar.component(.hour, from: date) == 0)
    #expect(scope.preferredLocales.map(\.identifier) == ["fr_FR"])
    #expect(scope.locale.identifier == "en_US_POSIX")
    #expect(scope.timeZone.secondsFromGMT(for: date) == 0)
  }
}
