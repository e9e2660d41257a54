/// Where a scope gets a key's value, without keeping it alive.
enum FoundSource {
  case override(Unretained<Override>)
  case global(Unretained<Override>)
  case defaultValue(of: any DependencyKey.Type)

  var retained: ValueSource {
    switch self {
    case .override(let value): .override(value.object)
    case .global(let value): .global(value.object)
    case .defaultValue(let key): .defaultValue(of: key)
    }
  }
}
