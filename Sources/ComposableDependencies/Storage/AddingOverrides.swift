extension OverrideNode {
  /// Returns a scope without overrides.
  static func bare(over table: OverrideTable) -> OverrideNode {
    make(
      words: 0,
      OverrideNodeHeader(table: .retaining(table)))
  }

  /// Returns a scope with one more override, which may be `below` itself.
  static func adding(
    _ key: any DependencyKey.Type, layout: ValueLayout, to below: consuming OverrideNode?,
    observer: ReadObserver? = nil, _ write: (ValueMemory) -> Void
  ) -> OverrideNode {
    let isAlone = isKnownUniquelyReferenced(&below)
    if isAlone, observer == nil, below!.append(key, layout, write) { return below! }
    return newNode(
      on: below, isAlone: isAlone, key, layout, observer: observer, write)
  }

  /// Returns an object for an index to find by a key.
  static func record(_ object: AnyObject, for key: any DependencyKey.Type) -> KeptOverride {
    let record = single(key, layout: ValueLayout(of: AnyObject.self)) {
      $0.initialize(to: object)
    }
    record.node.head.holdsObject = true
    return record
  }

  /// Returns an override in a node of its own, outside any chain.
  static func single(
    _ key: any DependencyKey.Type, layout: ValueLayout, observer: ReadObserver? = nil,
    _ write: (ValueMemory) -> Void
  ) -> KeptOverride {
    let node = make(
      words: words(for: layout), OverrideNodeHeader(observer: .retaining(observer)))
    return KeptOverride(node: node, node.place(key, layout, on: nil, write)!)
  }

  /// Returns a scope with one more override, in a new node.
  private static func newNode(
    on below: consuming OverrideNode?, isAlone: Bool, _ key: any DependencyKey.Type,
    _ layout: ValueLayout, observer: ReadObserver?,
    _ write: (ValueMemory) -> Void
  ) -> OverrideNode {
    var header = OverrideNodeHeader(
      observer: .retaining(observer),
      filter: KeyHash(ObjectIdentifier(key)).bit)
    let depthBelow = below?.head.depth ?? longestChain
    header.depthAndKind = 1
    var room: UInt8 = 1
    if depthBelow == 0 {
      // Nothing to walk or to take over.
      header.table = below!.unownedTable.retained()
      below = nil
    } else if depthBelow < longestChain {
      header.table = below!.head.table
      header.filter |= below!.head.filter
      header.depthAndKind = depthBelow + 1
      if isAlone { room = min(longestChain - depthBelow, 2 * depthBelow + 1) }
    } else {
      let (table, isInPlace) = table(takingOver: below.take())
      header.table = .retaining(table)
      if isInPlace { room = longestChain }
    }
    let node = make(
      words: words(for: layout, room: observer == nil ? room : 1), header)
    _ = node.place(key, layout, on: below, write)
    return node
  }

  /// The words for an override.
  @inline(__always)
  private static func words(for layout: ValueLayout) -> Int {
    let own = Override.valueOffset / wordSize &+ layout.words
    // More, because the value may have to begin later.
    return layout.alignment <= wordSize ? own : own &+ layout.alignment / wordSize &- 1
  }

  /// The words for an override, and for others that may follow.
  @inline(__always)
  static func words(for layout: ValueLayout, room: UInt8) -> Int {
    let own = words(for: layout)
    if room == 1 { return own }
    let others = (Int(room) - 1) * (Override.valueOffset / wordSize + min(layout.words, 4))
    return max(own, min(own + others, 255))
  }

  private static var wordSize: Int { MemoryLayout<UInt>.size }
}

// MARK: - The memory of an override

extension OverrideNode {
  /// Adds an override to a chain that only one reference leads to.
  ///
  /// - Returns: Whether there was room.
  private func append(
    _ key: any DependencyKey.Type, _ layout: ValueLayout, _ write: (ValueMemory) -> Void
  ) -> Bool {
    let head = head
    guard (1..<Self.longestChain).contains(head.depthAndKind), head.observer == nil,
      place(key, layout, on: nil, write) != nil
    else { return false }
    self.head.depthAndKind += 1
    self.head.filter |= KeyHash(ObjectIdentifier(key)).bit
    return true
  }

  /// Adds a copy of an override to a node that a table will keep.
  ///
  /// - Returns: The copy, unless there was no room.
  func place(copyOf override: Override, on below: OverrideNode?) -> Override? {
    let key = override.exactKey
    guard let copy = place(key, key.valueLayout, on: below, { key.copyValue(of: override, to: $0) })
    else { return nil }
    copy.shareIdentity(of: override)
    return copy
  }

  /// Adds an override.
  ///
  /// - Parameter below: What the first override is on top of.
  /// - Returns: The override, unless there was no room. There is for the first.
  @inline(__always)
  private func place(
    _ key: any DependencyKey.Type, _ layout: ValueLayout, on below: consuming OverrideNode?,
    _ write: (ValueMemory) -> Void
  ) -> Override? {
    let head = head
    let isFirst = head.used == 0
    let header = Override.valueOffset / Self.wordSize
    var word = Int(head.used)
    if layout.alignment > Self.wordSize {
      // The value is aligned, and its header directly before it.
      let first = unsafe address(ofWord: word + header)
      word += unsafe (first.alignedUp(toMultipleOf: layout.alignment) - first) / Self.wordSize
    }
    let end = word &+ header &+ layout.words
    guard isFirst || end <= head.capacity else { return nil }
    let override = unsafe Override(
      at: address(ofWord: word), key, isTrivial: layout.isTrivial, in: self,
      on: isFirst ? below?.newest : newest)
    if isFirst, let below = below.take() { _ = Unowned.retaining(below) }
    write(override.memory)
    self.head.newest = UInt8(truncatingIfNeeded: word)
    self.head.used = UInt8(truncatingIfNeeded: min(end, 255))
    return override
  }
}
