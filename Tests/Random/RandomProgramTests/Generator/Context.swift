/// What the generator knows about the place of a step.
struct Context {
  var canSuspend = true
  var depth = 0
  /// The store of the current scope.
  var store: Int
  /// The stores that no concurrent task touches.
  var ownedStores: Set<Int>
  /// The keys that are set globally here, but not concurrently.
  var globalKeys: [Int]
  /// Whether unawaited tasks may be running from here on.
  var hasStrayTasks = false

  var scopes: [(variable: Int, store: Int)] = []
  var closures: [Int] = []
  var asyncClosures: [Int] = []
  var mainClosures: [Int] = []
  var declared: [Int] = []
  var environments: [(variable: Int, type: EnvironmentType, store: Int)] = []
  var tasks: [Int] = []

  /// Takes over the variables of a block that has ended.
  mutating func adoptVariables(of ended: Context) {
    scopes = ended.scopes
    closures = ended.closures
    asyncClosures = ended.asyncClosures
    mainClosures = ended.mainClosures
    declared = ended.declared
    environments = ended.environments
    tasks = ended.tasks
    if ended.hasStrayTasks { loseOwnership() }
  }

  mutating func loseOwnership() {
    hasStrayTasks = true
    ownedStores = []
  }

  var ownsStore: Bool { ownedStores.contains(store) }
}
