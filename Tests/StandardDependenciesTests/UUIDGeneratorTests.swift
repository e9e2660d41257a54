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

  @Test("incrementing ones count from zero, through every copy, and anew in each generator")
  func incrementing() {
    let scope = DependencyScope.current.with(\.uuid, .incrementing)
    #expect(scope.uuid().uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(scope.uuid().uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(scope.run { DependencyScope.current.uuid() } == UUID(2))
    #expect(UUIDGenerator.incrementing() == UUID(0))
  }

  @Test("no two tasks get the same incrementing one")
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

  @Test("a number is the last eight bytes of its identifier")
  func numbers() {
    #expect(UUID(0x0123_4567_89AB_CDEF).uuidString == "00000000-0000-0000-0123-456789ABCDEF")
    #expect(UUID(.max).uuidString == "00000000-0000-0000-FFFF-FFFFFFFFFFFF")
  }

  @Test("a constant one stays the same, and a closure's is what it returns")
  func constant() {
    let uuid = UUIDGenerator.constant(UUID(7))
    #expect((uuid(), uuid()) == (UUID(7), UUID(7)))
    #expect(UUIDGenerator { UUID(8) }() == UUID(8))
  }
}
