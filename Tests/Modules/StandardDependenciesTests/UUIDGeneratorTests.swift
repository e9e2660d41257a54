import Foundation
import StandardDependencies
import Testing

@Suite("UUIDs")
struct UUIDGeneratorTests {
  @Test("by default no two are the same")
  func live() {
    let uuid = DependencyScope.current.uuid
    #expect(Set((0..<100).map { _ in uuid() }).count == 100)
  }

  @Test("incrementing identifiers count from zero in each generator, across its copies")
  func incrementing() {
    let scope = DependencyScope.current.with(\.uuid, .incrementing)
    #expect(scope.uuid().uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(scope.uuid().uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(scope.run { DependencyScope.current.uuid() } == UUID(2))
    #expect(UUIDGenerator.incrementing() == UUID(0))
  }

  @Test("no two tasks get the same incrementing identifier")
  func tasks() async {
    let uuid = UUIDGenerator.incrementing
    let uuids = await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { (0..<100).map { _ in uuid() } }
      }
      return await group.reduce(into: Set<UUID>()) { $0.formUnion($1) }
    }
    #expect(uuids == Set((0..<800).map { UUID($0) }))
  }

  @Test("a number is the last eight bytes of its identifier, and a negative one is another's")
  func numbers() {
    #expect(UUID(0x0123_4567_89AB_CDEF).uuidString == "00000000-0000-0000-0123-456789ABCDEF")
    #expect(UUID(UInt64.max).uuidString == "00000000-0000-0000-FFFF-FFFFFFFFFFFF")
    #expect([1, 16].map(UUID.init) == [UUID(UInt8(1)), UUID(16)])
    #expect(UUID(-16).uuidString == "00000000-0000-0001-0000-000000000010")
    #expect(UUID(Int.min).uuidString == "00000000-0000-0001-8000-000000000000")
  }

  @Test("a constant identifier stays the same, and a closure's is its result")
  func constant() {
    let uuid = UUIDGenerator.constant(UUID(7))
    #expect((uuid(), uuid()) == (UUID(7), UUID(7)))
    #expect(UUIDGenerator { UUID(8) }() == UUID(8))
  }
}
