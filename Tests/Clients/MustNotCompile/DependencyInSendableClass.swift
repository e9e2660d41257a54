import ComposableDependencies

final class Downloader: Sendable {
  // error: stored property '_limit' of 'Sendable'-conforming class 'Downloader' is mutable
  @Dependency(LimitKey.self) var limit
}
