import StandardDependencies

/// The size and nesting of a program.
struct Shape {
  var budget: Int
  var longestBlock: Int
  var deepest: Int
  /// The percentage of steps with blocks, as far as the depth allows.
  var nesting: Int
  var mostChildren: Int

  init(_ random: inout SplitMix64) {
    switch random.int(0...9) {
    case 0...2:
      self.init(budget: random.int(1...6), longestBlock: 4, deepest: 3, nesting: 40, children: 2)
    case 3...6:
      self.init(budget: random.int(8...32), longestBlock: 8, deepest: 6, nesting: 35, children: 3)
    case 7...8:
      let depth = random.pick([8, 16, 17, 32, 48])
      self.init(budget: depth * 2, longestBlock: 3, deepest: depth, nesting: 75, children: 2)
    default:
      self.init(budget: 60, longestBlock: 12, deepest: 3, nesting: 30, children: 24)
    }
  }

  private init(budget: Int, longestBlock: Int, deepest: Int, nesting: Int, children: Int) {
    self.budget = budget
    self.longestBlock = longestBlock
    self.deepest = deepest
    self.nesting = nesting
    self.mostChildren = children
  }
}
