public import ComposableDependencies

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

private enum CalendarKey: DependencyKey {
  static var defaultValue: Calendar { .autoupdatingCurrent }
}

private enum LocaleKey: DependencyKey {
  static var defaultValue: Locale { .autoupdatingCurrent }
}

private enum TimeZoneKey: DependencyKey {
  static var defaultValue: TimeZone { .autoupdatingCurrent }
}

extension Dependencies {
  /// The calendar to reckon dates with; the user's, `Calendar.autoupdatingCurrent`, by default.
  ///
  /// In a test override it with one that is the same everywhere, its time zone included:
  ///
  /// ```swift
  /// $0.calendar = Calendar(identifier: .gregorian)
  /// $0.calendar.timeZone = .gmt
  /// ```
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// How to write for the user; `Locale.autoupdatingCurrent` by default.
  ///
  /// A program that links FoundationEssentials alone knows neither the user's language nor, for
  /// ``timeZone``, where the user is.
  ///
  /// In a test override it with one that is the same everywhere, `Locale(identifier: "en_US_POSIX")`.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// Where the user is on the clock; `TimeZone.autoupdatingCurrent` by default.
  ///
  /// In a test override it with one that is the same everywhere, `TimeZone.gmt`.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }
}
