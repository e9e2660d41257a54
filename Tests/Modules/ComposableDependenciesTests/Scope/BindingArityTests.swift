import ComposableDependencies
import TestSupport
import Testing

/// Each number of arguments and each kind of closure has its own overload.
@Suite("Carrying a scope: asynchronous closures of up to four arguments")
struct BindingArityTests {
  private static func read(_ arguments: Int...) async -> [Int] {
    await Task.yield()
    return [DependencyScope.current.a] + arguments
  }

  private let scope = DependencyScope.root.with(\.a, 10)
  private let expected = (0...4).map { count in [10] + (0..<count).map { $0 + 1 } }

  @Test("sendable closures run in the scope they are bound to")
  func sendable() async throws {
    let none: @Sendable () async -> [Int] = { await Self.read() }
    let one: @Sendable (Int) async -> [Int] = { await Self.read($0) }
    let two: @Sendable (Int, Int) async -> [Int] = { await Self.read($0, $1) }
    let three: @Sendable (Int, Int, Int) async -> [Int] = { await Self.read($0, $1, $2) }
    let four: @Sendable (Int, Int, Int, Int) async -> [Int] = { await Self.read($0, $1, $2, $3) }
    let bound = (
      scope.bind(none), scope.bind(one), scope.bind(two), scope.bind(three), scope.bind(four)
    )
    let found = await Task.detached {
      [
        await bound.0(), await bound.1(1), await bound.2(1, 2), await bound.3(1, 2, 3),
        await bound.4(1, 2, 3, 4),
      ]
    }.value
    #expect(found == expected)
  }

  @Test("sendable throwing closures run in the scope they are bound to")
  func sendableThrowing() async throws {
    let none: @Sendable () async throws -> [Int] = { await Self.read() }
    let one: @Sendable (Int) async throws -> [Int] = { await Self.read($0) }
    let two: @Sendable (Int, Int) async throws -> [Int] = { await Self.read($0, $1) }
    let three: @Sendable (Int, Int, Int) async throws -> [Int] = { await Self.read($0, $1, $2) }
    let four: @Sendable (Int, Int, Int, Int) async throws -> [Int] = {
      await Self.read($0, $1, $2, $3)
    }
    let bound = (
      scope.bind(none), scope.bind(one), scope.bind(two), scope.bind(three), scope.bind(four)
    )
    let found = try await Task.detached {
      [
        try await bound.0(), try await bound.1(1), try await bound.2(1, 2),
        try await bound.3(1, 2, 3), try await bound.4(1, 2, 3, 4),
      ]
    }.value
    #expect(found == expected)
  }

  @Test("local closures run in the scope they are bound to")
  func local() async throws {
    var found: [[Int]] = []
    let none: () async -> Void = { found.append(await Self.read()) }
    let one: (Int) async -> Void = { found.append(await Self.read($0)) }
    let two: (Int, Int) async -> Void = { found.append(await Self.read($0, $1)) }
    let three: (Int, Int, Int) async -> Void = { found.append(await Self.read($0, $1, $2)) }
    let four: (Int, Int, Int, Int) async -> Void = {
      found.append(await Self.read($0, $1, $2, $3))
    }
    await scope.bind(none)()
    await scope.bind(one)(1)
    await scope.bind(two)(1, 2)
    await scope.bind(three)(1, 2, 3)
    await scope.bind(four)(1, 2, 3, 4)
    #expect(found == expected)
  }

  @Test("local throwing closures run in the scope they are bound to")
  func localThrowing() async throws {
    var found: [[Int]] = []
    let none: () async throws -> Void = { found.append(await Self.read()) }
    let one: (Int) async throws -> Void = { found.append(await Self.read($0)) }
    let two: (Int, Int) async throws -> Void = { found.append(await Self.read($0, $1)) }
    let three: (Int, Int, Int) async throws -> Void = {
      found.append(await Self.read($0, $1, $2))
    }
    let four: (Int, Int, Int, Int) async throws -> Void = {
      found.append(await Self.read($0, $1, $2, $3))
    }
    try await scope.bind(none)()
    try await scope.bind(one)(1)
    try await scope.bind(two)(1, 2)
    try await scope.bind(three)(1, 2, 3)
    try await scope.bind(four)(1, 2, 3, 4)
    #expect(found == expected)
  }

  @MainActor
  @Test("closures of the main actor run in the scope they are bound to")
  func mainActor() async throws {
    var found: [[Int]] = []
    let on = MainActor.self
    let none = scope.bind(on: on) { () async in found.append(await Self.read()) }
    let one = scope.bind(on: on) { (a: Int) async in found.append(await Self.read(a)) }
    let two = scope.bind(on: on) { (a: Int, b: Int) async in found.append(await Self.read(a, b)) }
    let three = scope.bind(on: on) { (a: Int, b: Int, c: Int) async in
      found.append(await Self.read(a, b, c))
    }
    let four = scope.bind(on: on) { (a: Int, b: Int, c: Int, d: Int) async in
      found.append(await Self.read(a, b, c, d))
    }
    await Task.detached {
      await none()
      await one(1)
      await two(1, 2)
      await three(1, 2, 3)
      await four(1, 2, 3, 4)
    }.value
    #expect(found == expected)
  }

  @MainActor
  @Test("throwing closures of the main actor run in the scope they are bound to")
  func mainActorThrowing() async throws {
    var found: [[Int]] = []
    let on = MainActor.self
    let none = scope.bind(on: on) { () async throws in found.append(await Self.read()) }
    let one = scope.bind(on: on) { (a: Int) async throws in found.append(await Self.read(a)) }
    let two = scope.bind(on: on) { (a: Int, b: Int) async throws in
      found.append(await Self.read(a, b))
    }
    let three = scope.bind(on: on) { (a: Int, b: Int, c: Int) async throws in
      found.append(await Self.read(a, b, c))
    }
    let four = scope.bind(on: on) { (a: Int, b: Int, c: Int, d: Int) async throws in
      found.append(await Self.read(a, b, c, d))
    }
    try await Task.detached {
      try await none()
      try await one(1)
      try await two(1, 2)
      try await three(1, 2, 3)
      try await four(1, 2, 3, 4)
    }.value
    #expect(found == expected)
  }
}
