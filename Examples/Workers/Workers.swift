import ComposableEnvironment
import DependencyCarriers
import Foundation

/// Counts the words of files in several processes.
///
/// To learn how values cross processes, continue in this order: `TenantKey` says that the tenant may
/// cross; `WorkerProcess` passes it in a process's environment variables; `WorkerPool` passes the deadline
/// with each request; `Worker` reads both in the other process.
@main
enum Workers {
  static func main() async throws {
    // Writing to an ended worker must fail with an error, not end this process.
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == [WorkerProcess.argument] { return try Worker.run() }
    let files = arguments.isEmpty ? ["README.md"] : arguments
    let counts = try await withDependencies {
      $0.tenant = "Acme & Söhne"
      $0.deadline = .after(.seconds(60))
    } operation: {
      try await WorkerPool().count(files)
    }
    for file in files { print("\(counts[file] ?? "not counted")  \(file)") }
  }
}

/// The customer for whom files are read.
///
/// A value travels only if its key conforms to `CarriedKey`.
enum TenantKey: CarriedKey {
  static let defaultValue = "nobody"
  static let field = "tenant"
}

private enum ReadFileKey: DependencyKey {
  static let defaultValue: @Sendable (String) throws -> String = {
    try String(contentsOfFile: $0, encoding: .utf8)
  }
}

extension Dependencies {
  var tenant: String {
    get { self[TenantKey.self] }
    set { self[TenantKey.self] = newValue }
  }

  /// Reads a file, which tests replace.
  var readFile: @Sendable (_ path: String) throws -> String {
    get { self[ReadFileKey.self] }
    set { self[ReadFileKey.self] = newValue }
  }
}
