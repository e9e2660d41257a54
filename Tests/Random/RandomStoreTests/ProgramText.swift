extension Program: CustomStringConvertible {
  /// The program as Swift-like text.
  var description: String {
    let stores = stores.enumerated().map { number, spec in
      "let store\(number) = \(spec)"
    }
    return (stores + operations.map { "\($0)" }).joined(separator: "\n")
  }
}

extension StoreSpec: CustomStringConvertible {
  var description: String {
    let kind = isObservable ? "ObservableStore" : "Store"
    let child = childOverrides.isEmpty ? "" : ", child: \(childOverrides.text)"
    return "scope(\(surroundings.text)).run { \(kind)(\(root)\(child)) }"
  }
}

extension Feature: CustomStringConvertible {
  var description: String {
    let source =
      switch self.source {
      case .made: "made"
      case .named(let overrides): "named\(overrides.isEmpty ? "" : " " + overrides.text)"
      case .same: "recursive"
      }
    let children = children.isEmpty ? "" : " \(children)"
    return "\(link)(\(kind), \(source)\(children))"
  }
}

extension Operation: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let store, let path, let action, let from):
      let call = "store\(store).send(\(path.text)\(action))"
      return from.isEmpty ? call : "scope(\(from.text)).run { \(call) }"
    case .open(let pick): return "open(waiting[\(pick) % count])"
    case .cancelTask(let pick): return "tasks[\(pick) % count].cancel()"
    case .finish(let pick): return "let finishing = Task { await tasks[\(pick) % count].finish() }"
    case .cancelFinish(let pick): return "finishing[\(pick) % count].cancel()"
    case .advance(let duration): return "clock.advance(by: \(duration))"
    case .readState(let store): return "store\(store).state"
    case .end(let store): return "let ending = Task { await store\(store).cancelAndFinish() }"
    case .drop(let store): return "store\(store) = nil"
    }
  }
}

extension ActionSpec: CustomStringConvertible {
  var description: String {
    var parts = ["action\(id)"]
    if let toggledChild { parts.append("toggle(\(toggledChild))") }
    if effect.isSomething { parts.append("\(effect)") }
    if echo.isSomething { parts.append("root returns \(echo)") }
    return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: ": ")))"
  }
}

extension SentAction: CustomStringConvertible {
  var description: String { "\(path.text)\(action)" }
}

extension EffectSpec: CustomStringConvertible {
  var description: String {
    switch self {
    case .none: ".none"
    case .send(let action): ".send(\(action))"
    case .run(let run): "\(run)"
    case .merge(let effects): ".merge(\(effects.map(\.description).joined(separator: ", ")))"
    case .concatenate(let effects):
      ".concatenate(\(effects.map(\.description).joined(separator: ", ")))"
    case .map(let effect): "\(effect).map(mark)"
    case .cancellable(let effect, let id, let cancelInFlight):
      "\(effect).cancellable(\(id)\(cancelInFlight ? ", cancelInFlight: true" : ""))"
    case .cancel(let id): ".cancel(\(id))"
    case .debounce(let effect, let id): "\(effect).debounce(\(id))"
    case .throttle(let effect, let id, let latest):
      "\(effect).throttle(\(id), latest: \(latest))"
    }
  }
}

extension RunSpec: CustomStringConvertible {
  var description: String {
    let steps = steps.map { step in
      "gate; read"
        + (step.part.map {
          "; part(\($0.id)\($0.cancelInFlight ? ", cancelInFlight: true" : "")) { \($0.run) }"
        } ?? "")
        + (step.action.map { "; send(\($0)\(step.isOvertaken ? ", cancelled on its way" : ""))" }
          ?? "")
    }
    let handler = caught.map { "; throw } catch: { send(\($0))" } ?? ""
    return ".run\(isStubborn ? "Stubbornly" : "") { /* \(lane) */ "
      + "\(steps.joined(separator: "; "))\(handler) }"
  }
}

extension Identifier: CustomStringConvertible {
  var description: String { String(reflecting: value) }
}

extension Overrides {
  fileprivate var text: String {
    sorted { $0.key < $1.key }
      .map { key, value in "\(["a", "b", "c", "d"][key]): \(value)" }
      .joined(separator: ", ")
  }
}

extension Path {
  fileprivate var text: String {
    map { step in "child\(step.child)\(step.element.map { "[\($0)]" } ?? "")/" }.joined()
  }
}
