/// What a step does.
enum Operation: String, CaseIterable, Sendable {
  case read, readComputed, readScope, readDeclared, readEnvironment, readThroughGlobal
  case readShared
  case with, withAsync, run, runAsync
  case carry, carryAsync
  case capture, derive, isolated, declare
  case bind, bindAsync, bindOnMain, call, callAsync, callOnMain, callOnQueue
  case setGlobally, setRacing, setThroughGlobal, alias, clearAliases, reset
  case throwError, catching, catchingAsync, cancel
  case asyncLet, group, throwingGroup
  case task, immediateTask, detachedTask, detachedTaskIn, immediateDetachedTaskIn, join
  case actorHop, mainActorHop, concurrentFunction, queueAsync, queueBound, queueSync, stream
  case yield
  case makeEnvironment, overrideEnvironment, setInEnvironment, derivedEnvironment
  case overrideDerived, assignDerived, storeInEnvironment, runEnvironment

  /// Whether it suspends, and so can't be in a synchronous block.
  var isAsync: Bool {
    switch self {
    case .withAsync, .runAsync, .carryAsync, .catchingAsync, .callAsync, .callOnMain, .callOnQueue,
      .cancel,
      .asyncLet, .group,
      .throwingGroup, .join, .actorHop, .mainActorHop, .concurrentFunction, .queueAsync,
      .queueBound, .stream, .yield:
      true
    default:
      false
    }
  }

  /// Whether its blocks may suspend.
  var hasAsyncBlocks: Bool {
    switch self {
    case .withAsync, .runAsync, .carryAsync, .bindAsync, .catchingAsync, .cancel, .asyncLet, .group,
      .throwingGroup, .task,
      .immediateTask, .detachedTask, .detachedTaskIn, .immediateDetachedTaskIn, .actorHop,
      .mainActorHop, .concurrentFunction:
      true
    default:
      false
    }
  }
}
