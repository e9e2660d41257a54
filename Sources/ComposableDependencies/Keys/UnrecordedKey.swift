/// A key that the library itself reads, so that no recording contains it.
package protocol UnrecordedKey: DependencyKey {}

/// A key that decides where issues are reported, so that `make` of a shared key sees it, too.
package protocol ReportingKey: UnrecordedKey {}
