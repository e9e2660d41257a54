public import ComposableDependencies

// error: type 'Cache' does not conform to the 'Sendable' protocol
enum CacheKey: DependencyKey {
  static var defaultValue: Cache { Cache() }
}

// error: type 'Downloads' does not conform to the 'Sendable' protocol
class Downloads: DependencyKey {
  static var defaultValue: Downloads { Downloads() }
  var values: [String: Int] = [:]
}

// Swift infers that a struct is sendable only where it isn't public.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
// error: type 'WeatherService' does not conform to the 'Sendable' protocol
public struct WeatherService: DependencyKey {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static var defaultValue: WeatherService { WeatherService() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
public struct Settings {}

// error: type 'Settings' does not conform to the 'Sendable' protocol
enum SettingsKey: DependencyKey {
  // error: static property 'defaultValue' is not concurrency-safe because non-'Sendable' type
  //   'Settings' may have shared mutable state [#MutableGlobalVariable]
  static let defaultValue = Settings()
}
