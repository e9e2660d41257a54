import ComposableReducers
import Foundation

/// The output of the program.
struct Output: DependencyKey {
  static let defaultValue = Output(
    print: { try? FileHandle.standardOutput.write(contentsOf: Data("\($0)\n".utf8)) },
    printError: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) }
  )

  var print: @Sendable (_ line: String) -> Void
  var printError: @Sendable (_ line: String) -> Void
}

extension Dependencies {
  /// The output of the program.
  var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }
}
