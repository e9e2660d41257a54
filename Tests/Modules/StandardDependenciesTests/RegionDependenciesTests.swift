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
}
