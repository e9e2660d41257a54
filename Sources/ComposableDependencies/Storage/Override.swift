internal import Synchronization

// What an override is to other files, which have a reference to it. Its memory is in `Overrides.swift`.

extension Override {
  package var key: any DependencyKey.Type {
    withExtendedLifetime(self) { Unretained(self).key }
  }

  package var id: ObjectIdentifier { ObjectIdentifier(key) }

  package var anyValue: any Sendable { key.value(of: self) }

  /// The value, which must be of type `Value`.
  @_alwaysEmitIntoClient
  package func value<Value>(as type: Value.Type) -> Value {
    withExtendedLifetime(self) { Unretained(self).value(as: type) }
  }

  /// Returns the same value for a key with the same type of value.
  func copy(for key: any DependencyKey.Type) -> Override { key.copy(of: self) }
}

extension DependencyKey {
  fileprivate static func value(of override: Override) -> any Sendable {
    override.value(as: Value.self)
  }

  fileprivate static func copy(of override: Override) -> Override {
    .make(
      Self.self, override.value(as: Value.self), owner: override.owner, record: override.record)
  }
}

// MARK: - What belongs to an override

/// What belongs to an override, and is released with it.
final class OverrideAttachment: Sendable {
  /// Hears of reads after its end.
  let owner: OverrideOwner?
  /// What the store's watcher keeps, which then hears of all reads.
  let record: (any AnyObject & Sendable)?
  /// What another module keeps for as long as the override lives.
  fileprivate let other = Mutex<(any AnyObject & Sendable)?>(nil)

  init(owner: OverrideOwner? = nil, record: (any AnyObject & Sendable)? = nil) {
    self.owner = owner
    self.record = record
  }
}

extension Override {
  var isWatched: Bool { withExtendedLifetime(self) { Unretained(self).isWatched } }

  /// What it belongs to; `nil` in most overrides.
  package var owner: OverrideOwner? { attachment?.owner }

  /// What the store's watcher keeps about it.
  package var record: (any AnyObject & Sendable)? { attachment?.record }

  private var attachment: OverrideAttachment? {
    withExtendedLifetime(self) { Unretained(self).attachment?.object }
  }

  /// What another module keeps for as long as this override lives.
  package func attached(
    makingOne make: () -> any AnyObject & Sendable
  ) -> any AnyObject & Sendable {
    let attachment =
      attachment
      ?? withExtendedLifetime(self) {
        Unretained(self).attach(OverrideAttachment(), isWatched: false)
      }
    return attachment.other.withLock { other -> any AnyObject & Sendable in
      let object = other ?? make()
      other = object
      return object
    }
  }
}
