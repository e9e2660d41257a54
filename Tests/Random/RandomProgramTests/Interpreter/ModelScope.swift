/// A scope: an explicit dictionary, and the number of the global store below it.
struct ModelScope {
  var overrides: [Int: Int] = [:]
  /// Which setting each override is, if that is known.
  var settings: [Int: Int] = [:]
  /// Where each override was set.
  var places: [Int: ModelPlace] = [:]
  var store: Int

  /// The store of the process is number 0.
  static let root = ModelScope(store: 0)
}
