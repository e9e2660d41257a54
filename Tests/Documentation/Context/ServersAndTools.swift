import Synchronization

struct Logger: Sendable {
  struct MetadataProvider {
    let get: () -> [String: String]
    init(_ get: @escaping () -> [String: String]) { self.get = get }
  }

  static let lines = Mutex<[String]>([])
  let label: String
  private var metadata: [String: String] = [:]

  init(label: String) { self.label = label }

  subscript(metadataKey key: String) -> String? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func error(_ message: String) { info(message) }

  func info(_ message: String) {
    let line = "\(message) \(metadata)"
    Self.lines.withLock { $0.append(line) }
  }
}

enum RequestIDKey: DependencyKey {
  static let defaultValue = "none"
}

enum LoggerKey: DependencyKey {
  static let defaultValue = Logger(label: "app")
}

extension Dependencies {
  var requestID: String {
    get { self[RequestIDKey.self] }
    set { self[RequestIDKey.self] = newValue }
  }

  var logger: Logger {
    get { self[LoggerKey.self] }
    set { self[LoggerKey.self] = newValue }
  }
}

enum StockKey: DependencyKey {
  static var defaultValue: @Sendable (String) async throws -> Int { { _ in 1 } }
}

extension Dependencies {
  var stock: @Sendable (String) async throws -> Int {
    get { self[StockKey.self] }
    set { self[StockKey.self] = newValue }
  }
}

struct ServiceContext: Sendable {
  @TaskLocal static var current: ServiceContext?
  static let topLevel = ServiceContext()
  var traceID: String?

  static func withValue<Result>(
    _ value: ServiceContext?, operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $current.withValue(value, operation: operation)
  }
}

private let removals = Mutex(0)

extension Pool {
  fileprivate func removeExpired() async throws { removals.withLock { $0 += 1 } }
}

private protocol RequestContext { var id: String { get } }

private protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context
  func handle(
    _ request: Hummingbird.Request, context: Context,
    next: @concurrent (Hummingbird.Request, Context) async throws -> Hummingbird.Response
  ) async throws -> Hummingbird.Response
}

private struct ByteBuffer: Sendable { let string: String }

private protocol ResponseBodyWriter {
  mutating func write(_ buffer: ByteBuffer) async throws
  mutating func finish(_ trailers: [String: String]?) async throws
}

private protocol AsyncParsableCommand: Decodable { mutating func run() async throws }
@propertyWrapper private struct Option<Value: Decodable>: Decodable { var wrappedValue: Value }
@propertyWrapper private struct Argument<Value: Decodable>: Decodable { var wrappedValue: Value }

private func fetch(_ address: String) async throws {
  #expect(DependencyScope.current.retryLimit == 1)
}

private enum Hummingbird {
  struct Request: Sendable {}
  struct Context: RequestContext { let id: String }
  struct ResponseBody: Sendable {
    typealias Write = @Sendable @concurrent (inout any ResponseBodyWriter) async throws -> Void
    let write: Write
    init(_ write: @escaping Write) { self.write = write }
  }
  enum Status { case ok }
  struct Response: Sendable {
    let status: Status
    let body: ResponseBody
  }

  // block: struct RequestScope<

  struct Server {
    let middleware: [any RouterMiddleware<Context>]

    /// Handles one request on a thread of its own, when the background job has run.
    func runService() async throws {
      while removals.withLock({ $0 == 0 }) { await Task.yield() }
      let text = try await Task.detached {
        try await middleware[0].handle(Request(), context: Context(id: "7A1F")) { _, context in
          let scope = DependencyScope.current
          #expect(scope.pool.name == "live" && scope.requestID == context.id)
          return Response(status: .ok, body: ResponseBody { _ in })
        }
      }.value
      #expect(text.status == .ok)
    }
  }

  struct Program {
    // block: func serve
  }

  struct Handlers {
    // block: func export
  }
}

private enum Commands {
  // block: struct Fetch
}

private enum Vapor {
  struct Request: Sendable { let id: String }
  struct Response: Sendable { let text: String }
  protocol AsyncResponder: Sendable { func respond(to request: Request) async throws -> Response }
  protocol AsyncMiddleware: Sendable {
    func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response
  }

  // block: struct VaporScope

  struct Handler: AsyncResponder {
    func respond(to request: Request) async throws -> Response {
      Response(text: "\(DependencyScope.current.requestID) \(DependencyScope.current.retryLimit)")
    }
  }
}

// block: enum CleanupKey

private struct Listener {
  struct Connection {}
  let connections: AsyncStream<Connection>
}

private let answers = Mutex(0)

private func serve(_ connection: Listener.Connection) async { answers.withLock { $0 += 1 } }

@Suite("The code of Servers and command-line tools")
private struct ServersAndTools {
  private struct Text: ResponseBodyWriter {
    var text = ""
    mutating func write(_ buffer: ByteBuffer) async throws { text += buffer.string }
    mutating func finish(_ trailers: [String: String]?) async throws { text += "." }
  }

  @Test("a request's scope, and what it logs and streams")
  func requests() async throws {
    let response = try await DependencyScope.current.with(\.opensResourcesInTests, true).run {
      try await Hummingbird.RequestScope<Hummingbird.Context>()
        .handle(.init(), context: .init(id: "7A1F")) { request, context in
          purchase("book")
          return Hummingbird.Handlers().export(request)
        }
    }
    #expect(Logger.lines.withLock { $0.contains("purchased book [\"request\": \"7A1F\"]") })
    var writer: any ResponseBodyWriter = Text()
    try await response.body.write(&writer)
    #expect((writer as? Text)?.text == "7A1F.")
  }

  @Test("a server with a pool and a background job, whose requests are in its scope")
  func server() async throws {
    // On a busy machine, it may take long to close.
    let scope = DependencyScope.isolated().with {
      $0.resourceClosingTime = .seconds(3_600)
      $0.opensResourcesInTests = true
    }
    try await scope.run { try await Hummingbird.Program().serve() }
  }

  @Test("a request on an event loop is in the application's scope")
  func eventLoop() async throws {
    let middleware = withDependencies {
      $0.retryLimit = 7
    } operation: {
      Vapor.VaporScope()
    }
    let response = try await Task.detached {
      try await middleware.respond(to: .init(id: "7A1F"), chainingTo: Vapor.Handler())
    }.value
    #expect(response.text == "7A1F 7")
  }

  @Test("a server that accepts connections itself waits for what it serves")
  func accepting() async throws {
    let (connections, accepted) = AsyncStream.makeStream(of: Listener.Connection.self)
    for _ in 1...3 { accepted.yield(Listener.Connection()) }
    accepted.finish()
    let listener = Listener(connections: connections)
    try await DependencyScope.isolated().with(\.opensResourcesInTests, true).run {
      // block: await withDiscardingTaskGroup
    }
    #expect(answers.withLock { $0 } == 3)
  }

  @Test("a request is answered before its deadline, or refused")
  func deadline() async throws {
    try await DependencyScope.isolated().with(\.opensResourcesInTests, true).run {
      let response = try await answer(Request())
      #expect(response.text == "transaction of live")
      let late = try await DependencyScope.current.with(\.deadline, .after(.zero)).run {
        try await answer(Request())
      }
      #expect(late.text == "504 Gateway Timeout")
    }
  }

  private func logIssues() {
    // block: DependencyIssue.replaceHandler
  }

  @Test("a metadata provider")
  func provider() {
    // block: let provider =
    #expect(DependencyScope.root.with(\.requestID, "9").run { provider.get() } == ["request": "9"])
  }

  @Test("a command", .isolatedDependencies)
  func command() async throws {
    try await Commands.Fetch(attempts: 1, address: "https://example.org").run()
  }
}
