#if canImport(Runtime) && os(macOS)
  internal import Runtime
#elseif canImport(Runtime) && canImport(Glibc) && compiler(<6.4)
  // These interfaces have no stable form yet, so another version does without places until somebody has looked at it.
  internal import Glibc
  @_spi(Contexts) @_spi(Internal) @_spi(MemoryReaders) internal import Runtime
#endif
internal import Synchronization

/// The functions that were running at a moment, with their places in the source.
///
/// In a task, these are the function that suspends or runs, and the functions that wait for it. Where the
/// toolchain or the system has no module `Runtime`, there is no stack, and without debug information there
/// are no places.
package struct SourceStack: Sendable {
  package struct Frame: Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let line: Int

    package var description: String { "\(path.split(separator: "/").last ?? ""):\(line)" }
  }

  /// The addresses of the functions, the innermost first.
  private let addresses: [UInt64]

  /// What is known about an address.
  private enum Known: Sendable {
    /// A stack that has only the function at the address.
    case captured(any Sendable)
    /// The functions there, of which all but the last are inlined.
    case found([Frame])
  }

  /// For each address, the toolchain reads all line tables of the program: 20 ms in a large one.
  private static let known = Mutex<[UInt64: Known]>([:])

  private static let working = Atomic(0)

  /// Whether some thread captures a stack or looks up places, which can take seconds on a busy machine.
  ///
  /// A test can't do anything about that time, so no limit counts it.
  static var isWorking: Bool { working.load(ordering: .relaxed) > 0 }

  private static func working<R>(_ function: () -> R) -> R {
    working.add(1, ordering: .relaxed)
    defer { working.subtract(1, ordering: .relaxed) }
    return function()
  }

  /// Captures the running functions; `nil` where that isn't possible.
  ///
  /// This takes some microseconds, but the first time on a thread tenths of a second in a large program.
  package static func capture(limit: Int = 64) -> SourceStack? {
    working { captured(limit) }
  }

  /// Identifies the running functions, and where each of them is, in this process.
  package var id: Int { addresses.hashValue }

  /// The functions whose places are known, beginning with the innermost one outside of this package's modules.
  package var frames: [Frame] { Array(places.drop(while: Self.isOwn)) }

  /// The innermost function outside of this package's modules; `nil` if its place isn't known.
  package var caller: Frame? { places.first { !Self.isOwn($0) } }

  /// Where the task or thread is, for a message; empty if that isn't known.
  package var text: String {
    let frames = frames
    guard let first = frames.first else { return "" }
    let last = frames.last.flatMap { $0 == first ? nil : $0 }
    return ", at \(first)" + (last.map { ", called at \($0)" } ?? "")
  }

  /// Says who calls this package here, as the last line of a message; empty if that isn't known.
  @inline(never) package static func callerLine() -> String { captureCaller()?.callerLine ?? "" }

  /// Captures as much as it takes to find who calls this package here.
  @inline(never) package static func captureCaller() -> SourceStack? { capture(limit: 24) }

  /// Says who has called this package, as the last line of a message; empty if that isn't known.
  package var callerLine: String { caller.map { "\n  Called at \($0)." } ?? "" }

  /// Whether a function is the getter of a property of `Dependencies`, which doesn't show who reads it.
  private static func isDeclaration(_ mangledName: String) -> Bool {
    mangledName.hasPrefix("$s22ComposableDependencies0B0V") && mangledName.hasSuffix("vg")
  }

  private var places: some Sequence<Frame> { addresses.lazy.flatMap(Self.places) }

  /// The package's modules, each in a folder of its name.
  static let modules: Set<Substring> = [
    "CasePathOperator", "ComposableCasePaths", "ComposableDependencies", "ComposableEnvironment",
    "ComposableReducers", "ComposableResources", "ComposableTesting", "DependencyCarriers",
    "DependencyDebugging", "Environments", "GlobalEnvironment", "IdentifiedArrays",
    "ScheduleExploring", "StandardDependencies", "TestClocks", "TestRuntime", "ValueDifferences",
  ]

  // The folder of all modules isn't enough: in an optimized build, some paths are relative.
  private static func isOwn(_ frame: Frame) -> Bool {
    let folders = frame.path.split(separator: "/")
    guard let sources = folders.lastIndex(of: "Sources") else { return false }
    return folders[sources...].dropFirst().first.map(modules.contains) ?? false
  }

  /// The functions at an address whose places are known.
  private static func places(_ address: UInt64) -> [Frame] {
    guard let known = known.withLock({ $0[address] }) else { return [] }
    switch known {
    case .found(let frames): return frames
    case .captured(let stack):
      let frames = working { thread.run { places(ofFunctionIn: stack) } }
      Self.known.withLock { $0[address] = .found(frames) }
      return frames
    }
  }

  /// The thread that looks up places, because the toolchain reads a program's symbols once on each thread.
  private static let thread = LastingThread()

  #if canImport(Runtime) && (os(macOS) || canImport(Glibc) && compiler(<6.4))
    /// Captured once: each capture reads the map of the process, which other threads may change meanwhile.
    @available(macOS 26, *)
    private static let images = ImageMap.capture()

    @inline(never) private static func captured(_ limit: Int) -> SourceStack? {
      guard #available(macOS 26, *), let stack = backtrace(limit, omitting: 0) else { return nil }
      let addresses = stack.frames.compactMap(address)
      for (index, address) in addresses.enumerated()
      where known.withLock({ $0[address] }) == nil {
        // The limit counts the mark that frames are left out, too.
        guard let function = backtrace(2, omitting: index) else { continue }
        known.withLock { $0[address] = $0[address] ?? .captured(function) }
      }
      return SourceStack(addresses: addresses)
    }

    /// Both captures of a stack must call this from the same function, so that they omit the same frames.
    @available(macOS 26, *)
    @inline(never) private static func backtrace(_ limit: Int, omitting count: Int) -> Backtrace? {
      #if os(macOS)
        try? Backtrace.capture(limit: limit, offset: count + 1, top: 0, images: images)
      #else
        // Not every word where a frame has its caller or its task is an address: code in C keeps what it likes
        // in the register of frames, and some asynchronous functions have no place for the task. So the system
        // reads the words, which is an error where there is no memory; `Backtrace.capture` would crash.
        HostContext.withCurrentContext { context in
          try? Backtrace.capture(
            from: context, using: UncachedRemoteMemoryReader(pid: getpid()), images: images,
            algorithm: .auto, limit: limit, offset: count + 1, top: 0)
        }
      #endif
    }

    @available(macOS 26, *)
    private static func address(_ frame: Backtrace.Frame) -> UInt64? {
      switch frame {
      case .programCounter(let address), .returnAddress(let address),
        .asyncResumePoint(let address):
        UInt64(address)
      default: nil
      }
    }

    private static func places(ofFunctionIn stack: any Sendable) -> [Frame] {
      guard #available(macOS 26, *), let stack = stack as? Backtrace else { return [] }
      return (stack.symbolicated(with: images)?.frames ?? []).compactMap { frame in
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
          !place.path.contains("@__swiftmacro_"), !isDeclaration(symbol.rawName)
        else { return nil }
        return Frame(path: place.path, line: place.line)
      }
    }
  #else
    private static func captured(_ limit: Int) -> SourceStack? { nil }

    private static func places(ofFunctionIn stack: any Sendable) -> [Frame] { [] }
  #endif
}
