import StandardDependencies

/// The keys of a program, by purpose.
struct KeyPool {
  /// The keys of most steps: few, so that steps interact.
  var common: [Int]
  /// Enough keys to make the tables of a scope grow.
  var many: [Int]
  /// The keys that concurrent tasks set in no particular order.
  let racing = [8, 16, 24]
  /// The keys that may be aliased at any time; environments don't set them.
  var aliasedLate: [Int]
  /// The keys that environments set.
  var ownable: [Int]

  static let adversarialCounts = [
    1, 3, 4, 6, 7, 8, 9, 12, 13, 15, 16, 17, 24, 25, 31, 32, 33, 48, 49, 63, 64, 65, 96, 97, 127,
    128, 129, 192, 193, 255, 256, 257,
  ]

  init(_ random: inout SplitMix64) {
    let racing = Set(racing)
    let all = (0..<Key.count).filter { !racing.contains($0) }
    // A default is interesting only together with the keys that it reads.
    let start = random.int(0...3) * 8
    common = Array(start..<start + 8).filter { !racing.contains($0) }
    common += (0..<8).filter { _ in random.chance(50) }
    common += (0..<random.int(0...6)).map { _ in random.pick(all) }
    common = Array(Set(common)).sorted()
    let isLarge = random.chance(25)
    let counts = isLarge ? Self.adversarialCounts : Self.adversarialCounts.filter { $0 < 34 }
    many = Array(all.shuffled(using: &random).prefix(random.pick(counts)))
    let declared: Set = [0, 2, EnvironmentType.aliasedKey, EnvironmentType.aliasTarget]
    let shuffled = common.filter { !declared.contains($0) }.shuffled(using: &random)
    aliasedLate = Array(shuffled.prefix(shuffled.count / 2)).sorted()
    ownable = [0, 2] + shuffled.dropFirst(shuffled.count / 2).sorted()
  }
}
