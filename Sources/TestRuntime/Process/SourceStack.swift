internal import Synchronization

#if canImport(Runtime) && (os(Linux) || os(macOS))
  internal import Runtime
#endif

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

  /// A `Backtrace`, which older systems don't have.
  private let backtrace: any Sendable

  #if canImport(Runtime) && (os(Linux) || os(macOS))
    /// Captured once: each capture reads the map of the process, which other threads may change meanwhile.
    @available(macOS 26, *)
    private static let images = ImageMap.capture()
  #endif

  /// Captures the running functions; `nil` where that isn't possible.
  ///
  /// This takes some microseconds, and only ``frames`` takes milliseconds.
  @inline(never) package static func capture(limit: Int = 64) -> SourceStack? {
    #if canImport(Runtime) && (os(Linux) || os(macOS))
      if #available(macOS 26, *) {
        let backtrace = try? Backtrace.capture(limit: limit, top: 0, images: images)
        return backtrace.map { SourceStack(backtrace: $0) }
      }
    #endif
    return nil
  }

  /// Identifies the running functions, and where each of them is, in this process.
  package var id: Int {
    var hasher = Hasher()
    #if canImport(Runtime) && (os(Linux) || os(macOS))
      guard #available(macOS 26, *), let backtrace = backtrace as? Backtrace else { return 0 }
      for frame in backtrace.frames { hasher.combine(frame.originalProgramCounter) }
    #endif
    return hasher.finalize()
  }

  /// The functions whose places are known, beginning with the innermost one outside of this package's modules.
  package var frames: [Frame] {
    var frames: [Frame] = []
    #if canImport(Runtime) && (os(Linux) || os(macOS))
      guard #available(macOS 26, *), let backtrace = backtrace as? Backtrace else { return [] }
      for frame in backtrace.symbolicated(with: Self.images)?.frames ?? [] {
        guard let symbol = frame.symbol, let place = symbol.sourceLocation, place.line > 0,
          !place.path.contains("@__swiftmacro_"), !Self.isDeclaration(symbol.rawName)
        else { continue }
        frames.append(Frame(path: place.path, line: place.line))
      }
    #endif
    // The innermost function is `capture`. The compiler tells other functions of this package the same way where
    // the sources are.
    let own = "/TestRuntime/Process/SourceStack.swift"
    guard let path = frames.first?.path, path.hasSuffix(own) else { return [] }
    let sources = path.dropLast(own.count - 1)
    return Array(frames.drop { $0.path.hasPrefix(sources) })
  }

  /// The innermost function outside of this package's modules; `nil` if its place isn't known.
  package var caller: Frame? { frames.first }

  /// Says who calls this package here, as the last line of a message; empty if that isn't known.
  @inline(never) package static func callerLine() -> String { captureCaller()?.callerLine ?? "" }

  /// Captures as much as it takes to find who calls this package here.
  @inline(never) package static func captureCaller() -> SourceStack? { capture(limit: 24) }

  /// Says who has called this package, as the last line of a message; empty if that isn't known.
  package var callerLine: String {
    // Looking up a place in a large program takes a tenth of a second.
    guard Self.lookups.add(1, ordering: .relaxed).oldValue < 50 else { return "" }
    return caller.map { "\n  Called at \($0)." } ?? ""
  }

  /// How often a message has asked for a caller.
  static let lookups = Atomic(0)

  /// Whether a function is the getter of a property of `Dependencies`, which tells nothing about who reads it.
  private static func isDeclaration(_ mangledName: String) -> Bool {
    mangledName.hasPrefix("$s22ComposableDependencies0B0V") && mangledName.hasSuffix("vg")
  }
}
