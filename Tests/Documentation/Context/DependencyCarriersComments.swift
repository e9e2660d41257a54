import ComposableDependencies
import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// block: enum TenantKey: CarriedKey {

private enum LocaleKey: CarriedKey {
  static let defaultValue: String? = nil
  static let field = "locale"
}

private struct Request {
  struct Headers {
    func first(name: String) -> String? { nil }
    subscript(name: String) -> String? { nil }
  }
  let headers = Headers()
}

private func respond(to request: Request) async throws -> Int { 200 }

private func example(_ headers: inout [String: String]) {
  // block: var baggage = Baggage()
}

private func example(_ request: Request) async throws -> Int {
  // block: let scope = DependencyScope.current.extracting(
}

private func example(_ request: Request) {
  // block: let baggage = Baggage(request
  _ = scope
}

private func example(_ request: inout URLRequest) {
  // block: DependencyScope.current.inject(TenantKey.self, DeadlineKey.self)
}

private func example(_ headers: inout [String: String], _ process: Process) {
  // block: var baggage = Baggage()
  // block: var environment = ProcessInfo
}
