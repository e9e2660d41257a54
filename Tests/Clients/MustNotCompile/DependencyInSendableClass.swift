import ComposableDependencies

enum RetryLimitKey: DependencyKey {
  static let defaultValue = 3
}

final class Downloader: Sendable {
  // error: stored property '_retryLimit' of 'Sendable'-conforming class 'Downloader' is mutable
  @Dependency(RetryLimitKey.self) var retryLimit
}
