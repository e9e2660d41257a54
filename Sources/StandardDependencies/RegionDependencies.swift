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

private enum PreferredLocalesKey: DependencyKey {
  static var defaultValue: [Locale] {
    Locale.preferredLanguages.map { Locale(identifier: $0) }
  }
}

private enum TimeZoneKey: DependencyKey {
  static var defaultValue: TimeZone { .autoupdatingCurrent }
}

extension Dependencies {
  /// The calendar for date calculations; the user's, `Calendar.autoupdatingCurrent`, by default.
  ///
  /// In a test, override it with one that is the same on every machine, including its time zone:
  ///
  /// ```swift
  /// $0.calendar = Calendar(identifier: .gregorian)
  /// $0.calendar.timeZone = .gmt
  /// ```
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// The locale for formatting; the user's, `Locale.autoupdatingCurrent`, by default.
  ///
  /// A program that links only FoundationEssentials doesn't know the user's language or
  /// ``timeZone``.
  ///
  /// In a test, override it with one that is the same on every machine:
  /// `Locale(identifier: "en_US_POSIX")`.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The locales of the user's languages, the preferred one first; made from
  /// `Locale.preferredLanguages` by default.
  ///
  /// In a test, override it with a list that is the same everywhere, `[Locale(identifier: "en_US")]`.
  public var preferredLocales: [Locale] {
    get { self[PreferredLocalesKey.self] }
    set { self[PreferredLocalesKey.self] = newValue }
  }

  /// The user's time zone; `TimeZone.autoupdatingCurrent` by default.
  ///
  /// In a test, override it with one that is the same on every machine: `TimeZone.gmt`.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }
}
