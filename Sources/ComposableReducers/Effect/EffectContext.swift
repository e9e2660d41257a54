/// What is the same for all parts of an effect.
struct EffectContext: Sendable {
  /// What the actions that the tasks send belong to.
  let actionFlight: Flight
  var scope: DependencyScope
  /// `nil` for most effects; shared by all parts with the same context.
  private var details: Details?

  // Unchecked, because it is changed only while nothing else refers to it.
  private final class Details: @unchecked Sendable {
    @safe @exclusivity(unchecked) var values: Values
    init(_ values: Values) { self.values = values }
  }

  private struct Values {
    var cause: EffectCause?
    var flight: Flight?
    var whole: EffectTask?
    var maps: [ActionMap] = []
    var groups: [EffectGroup] = []
  }

  init(scope: DependencyScope, flight: Flight, cause: EffectCause?) {
    actionFlight = flight
    self.scope = scope
    if let cause { details = Details(Values(cause: cause)) }
  }

  /// The details, for a change.
  private var own: Details {
    mutating get {
      if isKnownUniquelyReferenced(&details) { return details! }
      let own = Details(details?.values ?? Values())
      details = own
      return own
    }
  }
}

extension EffectContext {
  var runner: EffectRunner { actionFlight.runner }

  /// What the tasks belong to.
  var flight: Flight {
    get { details?.values.flight ?? actionFlight }
    set { own.values.flight = newValue }
  }

  // These two don't retain the flight, which many tasks share that start or end at the same time.

  /// Adds a task to what it belongs to, and returns its position.
  func add(_ task: EffectTask) -> Int {
    if let flight = details?.values.flight { return flight.add(task) }
    return actionFlight.add(task)
  }

  /// Returns whether the task was there.
  func remove(_ task: EffectTask, at position: Int) -> Bool {
    if let flight = details?.values.flight { return flight.remove(task, at: position) }
    return actionFlight.remove(task, at: position)
  }

  /// The cause of the effect, for the supervisor.
  var cause: EffectCause? { details?.values.cause }

  /// The task that the effect is a part of.
  var whole: EffectTask? {
    get { details?.values.whole }
    set { own.values.whole = newValue }
  }

  /// The innermost last.
  var maps: [ActionMap] {
    get { details?.values.maps ?? [] }
    _modify { yield &own.values.maps }
  }

  var groups: [EffectGroup] {
    get { details?.values.groups ?? [] }
    _modify { yield &own.values.groups }
  }
}

extension [ActionMap] {
  /// Applies the last one first.
  func apply(_ action: any Sendable) -> any Sendable {
    isEmpty ? action : reversed().reduce(action) { $1.apply($0) }
  }
}
