/// Where the value of a key comes from.
enum InputSource: Hashable {
  case override(setting: Int)
  case global(event: Int, member: Int)
  case nothing(root: Int)
}

/// What an instance of a shared key is made from: rule 35.
struct Combination: Hashable {
  /// Where instances are compared: over one store, and between changes of its aliases and resets.
  struct Place: Hashable {
    let store: Int
    let changes: [Int]
  }

  let sharedKey: Int
  let place: Place
  let inputs: [Int: InputSource]
}

/// What a shared key has been made from so far; `nil` for what isn't known.
struct Inputs {
  /// The setting of an override that is set inside of `make`.
  static let ownSetting = -1

  private(set) var sources: [Int: InputSource?] = [:]

  mutating func add(_ key: Int, _ source: InputSource?) {
    if source == .override(setting: Self.ownSetting) { return }
    if let known = sources[key], known != source {
      sources[key] = .some(nil)
    } else {
      sources[key] = .some(source)
    }
  }

  /// All of them, if each is known.
  var known: [Int: InputSource]? {
    let known = sources.compactMapValues { $0 }
    return known.count == sources.count ? known : nil
  }
}
