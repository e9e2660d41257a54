internal import Synchronization
internal import Testing

#if os(Linux) && canImport(Runtime)
  internal import Runtime
#elseif canImport(Darwin)
  internal import Foundation
#endif

/// The code that reads a dependency, found in the call stack of the read.
///
/// Swift passes no `#fileID` to a read by key path, and a read must not pay for one.
struct ReadingPlace: Equatable, Sendable {
  /// The property of `Dependencies`.
  var property: String?
  /// The function that reads.
  var function: String?
  var location: Testing.SourceLocation?

  /// The function as the agent of a read, or nothing.
  var byFunction: String { function.map { " by \($0)" } ?? "" }
}

#if os(Linux) && canImport(Runtime)
  extension ReadingPlace {
    /// What is loaded when the first place is looked for.
    ///
    /// Captured once, because that reads memory which another thread may free meanwhile.
    private static let images = ImageMap.capture()

    /// The places that were found, by the addresses of the calls.
    ///
    /// To find one takes a tenth of a second, and a loop reads a thousand times at the same place.
    private static let known = Mutex<[[Backtrace.Address]: ReadingPlace]>([:])

    static func current(find: (Backtrace) -> ReadingPlace = find(in:)) -> ReadingPlace {
      guard let backtrace = try? Backtrace.capture(images: images) else { return ReadingPlace() }
      let calls = backtrace.frames.map(\.originalProgramCounter)
      if let place = known.withLock({ $0[calls] }) { return place }
      let place = find(backtrace)
      known.withLock { known in
        if known.count == 1_000 { known = [:] }
        known[calls] = place
      }
      return place
    }

    private static func find(in backtrace: Backtrace) -> ReadingPlace {
      var place = ReadingPlace()
      guard let frames = backtrace.symbolicated(with: images)?.frames else { return place }
      let symbols = frames.compactMap(\.symbol).drop { !isLibrary($0.rawName) }
      for symbol in symbols {
        if isLibrary(symbol.rawName) {
          place.property = place.property ?? property(symbol.name)
        } else if let source = symbol.sourceLocation, source.line > 0 {
          place.function = symbol.name
          place.location = location(path: source.path, line: source.line)
          break
        }
      }
      return place
    }

    /// Returns the name of a property of `Dependencies` from its getter's symbol, if all of it is
    /// public.
    private static func property(_ symbol: String) -> String? {
      let parts = symbol.split(separator: ".")
      guard parts.count == 3, parts[0] == "Dependencies", parts[2] == "getter" else { return nil }
      return parts[1] == "subscript" || parts[1].contains("(") ? nil : String(parts[1])
    }

    private static func location(path: String, line: Int) -> Testing.SourceLocation {
      let fileID = path.split(separator: "/").suffix(2).joined(separator: "/")
      return Testing.SourceLocation(fileID: fileID, filePath: path, line: line, column: 1)
    }
  }
#elseif canImport(Darwin)
  extension ReadingPlace {
    /// Returns the place without a line, because the symbols of a running program have none here.
    static func current() -> ReadingPlace {
      let names = Thread.callStackSymbols.compactMap { frame in
        frame.split(separator: " ").first { $0.hasPrefix("$s") }.map(String.init)
      }
      let reader = names.drop { !isLibrary($0) }.first { !isLibrary($0) }
      return ReadingPlace(function: reader)
    }
  }
#else
  extension ReadingPlace {
    static func current() -> ReadingPlace { ReadingPlace() }
  }
#endif

/// Whether a mangled name belongs to the library, or to a property of `Dependencies`.
private func isLibrary(_ name: String) -> Bool {
  let modules = ["ComposableDependencies", "ComposableEnvironment", "GlobalEnvironment"]
  return modules.contains { name.hasPrefix("$s\($0.utf8.count)\($0)") }
}
