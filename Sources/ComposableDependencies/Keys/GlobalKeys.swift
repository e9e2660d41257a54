internal import Synchronization

// Each `unsafe` here accesses a table of keys. A table begins with its mask, which never changes, and
// has one more slot than the mask says. All are atomic, initialized, and freed only with the set of keys.

/// The keys that were ever set or aliased in a global store. Any thread can look up a key without a
/// lock.
///
/// A lookup costs the same regardless of the number of keys. Keys stay in the set permanently, even
/// after they are unset or no longer aliased.
// Unchecked because of the pointers.
@safe
struct GlobalKeys: ~Copyable, @unchecked Sendable {
  enum Use {
    case none
    case isSet
    case isAliased
  }

  /// The mask of the slots, followed by the slots.
  ///
  /// A slot is 0, or the address of a key, plus 1 if the key is aliased.
  private typealias Table = UnsafeMutablePointer<Atomic<UInt>>

  @safe
  private struct Writer {
    var count = 0
    /// Every table that was ever published.
    ///
    /// The outdated ones together are smaller than the current one.
    var tables: [Table]
  }

  private let current: Atomic<Table>
  private let writer: Mutex<Writer>

  init() {
    let table = unsafe Self.makeTable(mask: 0)
    unsafe current = Atomic(table)
    writer = Mutex(unsafe Writer(tables: [table]))
  }

  deinit {
    writer.withLock { unsafe $0.tables.forEach { unsafe $0.deallocate() } }
  }

  @inline(__always)
  func use(of id: ObjectIdentifier, _ hash: KeyHash) -> Use {
    let table = unsafe current.load(ordering: .acquiring)
    let mask = unsafe Int(bitPattern: table.pointee.load(ordering: .relaxed))
    var slot = hash.slot(mask)
    while true {
      let present = unsafe table[slot &+ 1].load(ordering: .acquiring)
      if present == 0 { return .none }
      if present & ~1 == UInt(bitPattern: id) { return present & 1 == 0 ? .isSet : .isAliased }
      slot = (slot &+ 1) & mask
    }
  }

  func use(of id: ObjectIdentifier) -> Use { use(of: id, KeyHash(id)) }

  func insert(_ ids: some Sequence<ObjectIdentifier>, areAliased: Bool) {
    writer.withLock { writer in
      for id in ids {
        let use = use(of: id)
        if use == .isAliased || use == .isSet && !areAliased { continue }
        if use == .none { makeRoom(&writer) }
        let table = unsafe current.load(ordering: .relaxed)
        unsafe Self.put(UInt(bitPattern: id) + (areAliased ? 1 : 0), in: table)
      }
    }
  }

  /// Publishes a larger table when a quarter of the slots is used, so that a lookup of a missing
  /// key usually hits an empty slot.
  private func makeRoom(_ writer: inout Writer) {
    writer.count += 1
    let table = unsafe current.load(ordering: .relaxed)
    let mask = unsafe Int(bitPattern: table.pointee.load(ordering: .relaxed))
    if 4 * writer.count <= mask { return }
    let larger = unsafe Self.makeTable(mask: 4 * mask + 3)
    for slot in 0...mask {
      let present = unsafe table[1 + slot].load(ordering: .relaxed)
      if present != 0 { unsafe Self.put(present, in: larger) }
    }
    unsafe writer.tables.append(larger)
    unsafe current.store(larger, ordering: .releasing)
  }

  private static func makeTable(mask: Int) -> Table {
    let table = Table.allocate(capacity: mask + 2)
    unsafe table.initialize(to: Atomic(UInt(mask)))
    for slot in 0...mask { unsafe (table + 1 + slot).initialize(to: Atomic(0)) }
    return unsafe table
  }

  private static func put(_ key: UInt, in table: Table) {
    let mask = unsafe Int(bitPattern: table.pointee.load(ordering: .relaxed))
    var slot = KeyHash(key & ~1).slot(mask)
    while true {
      let present = unsafe table[1 + slot].load(ordering: .relaxed)
      if present == 0 || present & ~1 == key & ~1 { break }
      slot = (slot + 1) & mask
    }
    unsafe table[1 + slot].store(key, ordering: .releasing)
  }
}
