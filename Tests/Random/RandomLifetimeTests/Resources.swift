import ComposableDependencies
import Synchronization
import TestSupport

@testable import ComposableResources

/// What a program's resources need to know, read from the scope of their lifetime.
struct Surroundings: Sendable {
  let program: Program
  let trace: Trace
  /// The lifetime that opens here, and its bindings.
  var lifetime: Int
  var bindings: [Int: Token] = [:]
  var mayBeCancelled = false
  /// Whether a lifetime around this one may end before.
  var outlives = false
}

private enum SurroundingsKey: DependencyKey {
  static var defaultValue: Surroundings? { nil }
}

extension Dependencies {
  var surroundings: Surroundings! {
    get { self[SurroundingsKey.self] }
    set { self[SurroundingsKey.self] = newValue }
  }
}

struct PlannedError: Error {
  let name: String
}

protocol RandomKey: ResourceKey where Value == Token {
  static var number: Int { get }
}

enum Key0: RandomKey { static var number: Int { 0 } }
enum Key1: RandomKey { static var number: Int { 1 } }
enum Key2: RandomKey { static var number: Int { 2 } }
enum Key3: RandomKey { static var number: Int { 3 } }
enum Key4: RandomKey { static var number: Int { 4 } }

extension Dependencies {
  fileprivate var key0: Token {
    get { self[Key0.self] }
    set { self[Key0.self] = newValue }
  }
  fileprivate var key1: Token {
    get { self[Key1.self] }
    set { self[Key1.self] = newValue }
  }
  fileprivate var key2: Token {
    get { self[Key2.self] }
    set { self[Key2.self] = newValue }
  }
  fileprivate var key3: Token {
    get { self[Key3.self] }
    set { self[Key3.self] = newValue }
  }
}

/// The properties of the keys that may be aliased.
let allProperties: [any WritableKeyPath<Dependencies, Token> & Sendable] = [
  \.key0, \.key1, \.key2, \.key3,
]

let allKeys: [any RandomKey.Type] = [Key0.self, Key1.self, Key2.self, Key3.self, Key4.self]

// Swift 6.2 doesn't open an element of the array as a generic argument.
func randomKey(_ number: Int) -> any RandomKey.Type { allKeys[number] }

extension RandomKey {
  static var defaultValue: Token { .default(number) }

  static func open(_ needs: ResourceOpening) async throws -> Token {
    let surroundings = needs[\.surroundings]!
    let (trace, spec) = (surroundings.trace, surroundings.program.resources[number])
    let instance = trace.opening(number, in: surroundings.lifetime)
    do {
      await yield(spec.yields)
      if spec.needsSideBySide {
        try await withThrowingTaskGroup { group in
          for need in spec.needs {
            group.addTask { try await ask(randomKey(need), needs, for: instance, surroundings) }
          }
          try await group.waitForAll()
        }
      } else {
        for need in spec.needs {
          try await ask(randomKey(need), needs, for: instance, surroundings)
        }
      }
      switch spec.opening {
      case .succeeds: break
      case .fails: throw PlannedError(name: "open K\(number)")
      case .neverEnds: await untilCancelled()
      }
    } catch {
      trace.record(.failed(instance, Outcome(error)))
      throw error
    }
    trace.record(.opened(instance))
    return .opened(instance)
  }

  private static func ask<Key: RandomKey>(
    _ key: Key.Type, _ needs: ResourceOpening, for instance: Instance,
    _ surroundings: Surroundings
  ) async throws {
    try await surroundings.ask(.resource(instance), for: key) { try await needs(key) }
  }

  static func run(_ value: Token) async throws {
    guard case .opened(let instance) = value else { return }
    let surroundings = DependencyScope.current.surroundings!
    let spec = surroundings.program.resources[number]
    surroundings.trace.record(.running(instance))
    surroundings.readAll(in: instance)
    defer { surroundings.trace.record(.ran(instance)) }
    switch spec.running {
    case .nothing: break
    case .untilCancelled:
      await untilCancelled()
      await yield(spec.yields)
    case .fails:
      await yield(spec.yields)
      if Task.isCancelled { return }
      surroundings.trace.record(.runFails(instance))
      throw PlannedError(name: "run K\(number)")
    }
  }

  static func close(_ value: Token) async {
    guard case .opened(let instance) = value else { return }
    let surroundings = DependencyScope.current.surroundings!
    await yield(surroundings.program.resources[number].yields)
    surroundings.trace.record(.closing(instance, isCancelled: Task.isCancelled))
    surroundings.readAll(in: instance)
    await yield(1)
    surroundings.trace.record(.closed(instance))
  }
}

extension Surroundings {
  /// Reads every key in the code of a resource.
  func readAll(in instance: Instance) {
    func read<Key: RandomKey>(_ key: Key.Type) -> Token { DependencyScope.current[key] }
    for key in allKeys {
      var token = Token.default(key.number)
      // What an outer lifetime has closed is reported.
      let issues = issues { token = read(key) }
      let expected = bindings[program.root(key.number)] ?? .default(program.root(key.number))
      trace.record(
        .readInside(instance, key: key.number, token, outside: expected, issues: issues.count))
    }
  }

  /// Asks for a key, and records the result.
  func ask<Key: RandomKey>(
    _ asker: Asker, for key: Key.Type, _ open: () async throws -> Token
  ) async throws {
    let number = trace.nextNumber()
    trace.record(
      .asked(
        number, asker, key: key.number, bindings: bindings,
        isClosing: DependencyScope.current.isClosing))
    do {
      // On a busy machine, much happens between what's recorded and what's done.
      if number % 3 == 0 { await yield(40) }
      let token = try await open()
      if number % 4 == 0 { await yield(40) }
      trace.record(.got(number, token))
    } catch {
      trace.record(.refused(number, Outcome(error), mayBeCancelled: mayBeCancelled))
      throw error
    }
  }
}

extension Outcome {
  init(_ error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case ResourceError.cycle(let keys):
      self = .cycle(keys.map { ($0 as! any RandomKey.Type).number })
    case ResourceError.lifetimeEnded: self = .ended
    case let error as PlannedError: self = .failed(error.name)
    default: self = .failed("\(error)")
    }
  }
}

/// The identity of a value, and so its origin.
enum Token: Hashable, Sendable {
  case `default`(Int)
  case override(Int, number: Int)
  case global(Int)
  case opened(Instance)
}

/// One attempt of a lifetime to open a key.
struct Instance: Hashable, Sendable {
  let key: Int
  let lifetime: Int
  let attempt: Int
}

enum Outcome: Hashable, Sendable {
  case returned
  case cancelled
  case cycle([Int])
  case ended
  case failed(String)

  var isFailure: Bool { self != .returned && self != .cancelled }
}

/// The code that asks for a key.
enum Asker: Hashable, Sendable {
  case operation(lifetime: Int?)
  case resource(Instance)
}

enum Event: Sendable {
  case began(
    lifetime: Int, outer: Int?, listed: [Int], bindings: [Int: Token], mayBeCancelled: Bool,
    outlives: Bool)
  case operating(lifetime: Int)
  case operated(lifetime: Int, Outcome)
  case returned(lifetime: Int, Outcome)
  case opening(Instance)
  case opened(Instance)
  case failed(Instance, Outcome)
  /// With whether each lifetime around it, the nearest first, is closing.
  case asked(Int, Asker, key: Int, bindings: [Int: Token], isClosing: [Bool])
  case got(Int, Token)
  case refused(Int, Outcome, mayBeCancelled: Bool)
  case running(Instance)
  case runFails(Instance)
  case ran(Instance)
  case closing(Instance, isCancelled: Bool)
  case closed(Instance)
  case read(key: Int, Token, expected: Token)
  case readInside(Instance, key: Int, Token, outside: Token, issues: Int)
  case readAfterEnd(lifetime: Int, key: Int, issues: Int, expected: Int)
}

/// The events, in order.
final class Trace: Sendable {
  private struct State {
    var events: [Event] = []
    var attempts: [[Int]: Int] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  var events: [Event] { state.withLock { $0.events } }

  func record(_ event: Event) {
    state.withLock { $0.events.append(event) }
  }

  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Records that a lifetime begins to open a key.
  func opening(_ key: Int, in lifetime: Int) -> Instance {
    state.withLock { state in
      state.attempts[[key, lifetime], default: 0] += 1
      let instance = Instance(
        key: key, lifetime: lifetime, attempt: state.attempts[[key, lifetime]]!)
      state.events.append(.opening(instance))
      return instance
    }
  }
}

extension DependencyScope {
  /// Whether the operations of the lifetimes around have returned, the nearest first.
  ///
  /// No event shows when: an operation's last event comes before.
  fileprivate var isClosing: [Bool] {
    var next = self[LifetimeKey.self]?.lifetime
    var isClosing: [Bool] = []
    while let lifetime = next {
      isClosing.append(ResourceGraph.update { $0[lifetime].phase == .closing })
      next = lifetime.outer?.lifetime
    }
    return isClosing
  }
}
