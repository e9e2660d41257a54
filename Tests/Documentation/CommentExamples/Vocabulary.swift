import ComposableEnvironment
import ComposableReducers
import ComposableResources
import Dispatch
import Foundation

// What the code in comments uses, and no comment declares.

struct APIClient: Sendable {
  static let defaultValue = APIClient.live
  static let live = APIClient()
  static let offline = APIClient()
  static let staging = APIClient()
  static let failing = APIClient()

  var fetch: @Sendable (URL) async throws -> [String] = { _ in [] }
  var search: @Sendable (String) async throws -> [String] = { [$0] }
  var timeout = 1.0
}

enum APIClientKey: DependencyKey {
  static let defaultValue = APIClient.live
}

struct Parser {
  func parse(_ line: String) -> Int { line.count }
}

struct Reachability {
  enum Status { case online, offline }
  let status = Status.online
}

struct Settings {
  let worksOffline = false
}

actor Audit {
  func flush() {}
}

struct Logger {
  func fault(_ message: String) {}
}

final class Pool: Sendable {
  static let unavailable = Pool()
  static func connect(to url: URL) async throws -> Pool { Pool() }
  func connect(timeout: Duration) async throws -> Session { Session() }
  func migrate() async throws {}
  func keepAlive() async {}
  func shutDown() async {}
}

struct Session {}

struct HTTPSession {}

struct HTTPClient: Sendable {
  let session: HTTPSession
  let baseURL: URL
}

private enum ParserKey: DependencyKey { static var defaultValue: Parser { Parser() } }
private enum ReachabilityKey: DependencyKey {
  static var defaultValue: Reachability { Reachability() }
}
private enum SettingsKey: DependencyKey { static var defaultValue: Settings { Settings() } }
private enum VolumeKey: DependencyKey { static let defaultValue = 1.0 }
private enum RadioVolumeKey: DependencyKey { static let defaultValue = 1.0 }
private enum TimeoutKey: DependencyKey { static let defaultValue = Duration.seconds(1) }
private enum ConnectionTimeoutKey: DependencyKey { static let defaultValue = Duration.seconds(1) }
private enum URLKey: DependencyKey { static let defaultValue = URL(filePath: "/") }
private enum SessionKey: DependencyKey { static let defaultValue = HTTPSession() }

extension Dependencies {
  var parser: Parser { self[ParserKey.self] }
  var reachability: Reachability { self[ReachabilityKey.self] }
  var settings: Settings { self[SettingsKey.self] }
  var volume: Double {
    get { self[VolumeKey.self] }
    set { self[VolumeKey.self] = newValue }
  }
  var radioVolume: Double {
    get { self[RadioVolumeKey.self] }
    set { self[RadioVolumeKey.self] = newValue }
  }
  var timeout: Duration { self[TimeoutKey.self] }
  var connectionTimeout: Duration { self[ConnectionTimeoutKey.self] }
  var databaseURL: URL { self[URLKey.self] }
  var baseURL: URL { self[URLKey.self] }
  var session: HTTPSession { self[SessionKey.self] }
}

struct Search: ComposableEnvironment {
  let scope = DependencyScope.current
}

enum AppAction: Sendable {
  case profile(ProfileAction)
  case row(Int, ProfileAction)
  case reset, profileClosed, kept, deleted, refresh
}

let queue = DispatchQueue(label: "comments")
let audit = Audit()
let logger = Logger()
let lines = AsyncStream { "line" }

func upload() {}
func upload() async throws {}
func refresh() {}
func serve() async throws {}
