/// What is the same for all parts of an effect.
///
/// It is one reference, which the tasks of all parts share that have the same context.
struct EffectContext: Sendable {
  private struct Values {
    var scope: DependencyScope
    var flight: Flight
    let actionFlight: Flight
    let cause: EffectCause?
    var whole: EffectTask?
    var maps: [ActionMap] = []
    var groups: [EffectGroup] = []
  }

  private final class Box: @unchecked Sendable {  // Changed only while nothing else refers to it.
    @safe @exclusivity(unchecked) var values: Values
    init(_ values: Values) { self.values = values }
  }

  private var box: Box

  init(scope: DependencyScope, flight: Flight, cause: EffectCause?) {
    box = Box(Values(scope: scope, flight: flight, actionFlight: flight, cause: cause))
  }

  /// Makes the box this context's own before a change.
  private mutating func own() {
    if !isKnownUniquelyReferenced(&box) { box = Box(box.values) }
  }
}

extension EffectContext {
  var scope: DependencyScope {
    get { box.values.scope }
    set {
      own()
      box.values.scope = newValue
    }
  }

  /// What the tasks belong to.
  var flight: Flight {
    get { box.values.flight }
    set {
      own()
      box.values.flight = newValue
    }
  }

  var runner: EffectRunner { flight.runner }

  /// What the actions that they send belong to.
  var actionFlight: Flight { box.values.actionFlight }

  /// The cause of the effect, for the supervisor.
  var cause: EffectCause? { box.values.cause }

  /// The task that the effect is a part of.
  var whole: EffectTask? {
    get { box.values.whole }
    set {
      own()
      box.values.whole = newValue
    }
  }

  /// The innermost last.
  var maps: [ActionMap] {
    get { box.values.maps }
    _modify {
      own()
      yield &box.values.maps
    }
  }

  var groups: [EffectGroup] {
    get { box.values.groups }
    _modify {
      own()
      yield &box.values.groups
    }
  }
}

extension [ActionMap] {
  /// Applies the last one first.
  func apply(_ action: any Sendable) -> any Sendable {
    isEmpty ? action : reversed().reduce(action) { $1.apply($0) }
  }
}
