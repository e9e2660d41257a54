extension Program {
  /// Programs that are slightly smaller than this one.
  var smaller: [Program] {
    var programs: [Program] = []
    for body in body.smaller {
      var program = self
      program.body = body
      programs.append(program)
    }
    for key in resources.indices {
      for spec in resources[key].smaller {
        var program = self
        program.resources[key] = spec
        programs.append(program)
      }
    }
    for key in global {
      var program = self
      program.global.remove(key)
      programs.append(program)
    }
    return programs
  }
}

extension ResourceSpec {
  fileprivate var smaller: [ResourceSpec] {
    var specs: [ResourceSpec] = []
    func append(_ change: (inout ResourceSpec) -> Void) {
      var spec = self
      change(&spec)
      specs.append(spec)
    }
    for position in needs.indices { append { $0.needs.remove(at: position) } }
    if opening == .fails { append { $0.opening = .succeeds } }
    if running != .nothing { append { $0.running = .nothing } }
    if needsSideBySide { append { $0.needsSideBySide = false } }
    if yields > 0 { append { $0.yields -= 1 } }
    return specs
  }
}

extension [Step] {
  fileprivate var smaller: [[Step]] {
    var lists: [[Step]] = []
    for position in indices {
      var list = self
      list.remove(at: position)
      lists.append(list)
    }
    for position in indices {
      for steps in self[position].smaller {
        var list = self
        list.replaceSubrange(position...position, with: steps)
        lists.append(list)
      }
    }
    return lists
  }
}

extension Step {
  /// Steps that can replace this one.
  fileprivate var smaller: [[Step]] {
    switch self {
    case .read, .open, .fail, .untilCancelled: []
    case .yield(let count): count > 0 ? [[.yield(count / 2)]] : []
    case .lifetime(let keys, let steps):
      [steps] + keys.map { key in [.lifetime(keys.filter { $0 != key }, steps)] }
        + steps.smaller.map { [.lifetime(keys, $0)] }
    case .override(let key, let steps):
      [steps] + steps.smaller.map { [.override(key, $0)] }
    case .group(let children):
      children
        + children.indices.flatMap { position in
          children[position].smaller.map { child in
            var children = children
            children[position] = child
            return [.group(children)]
          }
        }
    case .attempt(let steps): [steps] + steps.smaller.map { [.attempt($0)] }
    case .cancelled(let count, let steps):
      // Keep the cancellation, which ends steps that never end by themselves.
      steps.smaller.map { [.cancelled(after: count, $0)] }
        + (count > 0 ? [[.cancelled(after: count / 2, steps)]] : [])
    case .rush(let key, let tasks):
      tasks > 2 ? [[.open(key)], [.rush(key, tasks: tasks - 1)]] : [[.open(key)]]
    }
  }
}
