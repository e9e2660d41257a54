/// What is known of the place for which a step is generated.
struct Context {
  var canSuspend = true
  var depth = 0
  /// The store of the current scope.
  var store: Int
  /// The stores that no task touches that might run at the same time.
  var ownedStores: Set<Int>
  /// The keys that are set globally here, and nowhere at the same time.
  var globalKeys: [Int]
  /// Whether tasks run from here on that nothing waited for.
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
