import Foundation
import Testing
import XCTest

private enum Action: Sendable, Equatable {
  case loaded(Int)
}

extension Action {
  fileprivate var isFailure: Bool { false }
}

private func example(_ store: TestStore<Counter, Action>) async {
  // block: let loaded = CasePath(
  // block: await store.receive(loaded, 7)
  // block: await store.receive(where:
}

private enum FormAction: Sendable, Equatable {
  case submitted, failed, startTimer, ticked
}

private struct Form: Sendable, Equatable {
  var isLoading = false
  var results: [String] = []
}

private func example(_ store: TestStore<Form, FormAction>, _ clock: TestClock) async {
  // block: await store.withDependencies
  // block: store.assert {
  // block: let timer = await
}
