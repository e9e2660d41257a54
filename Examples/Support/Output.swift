package import ComposableDependencies
import Foundation

/// The output of an example, line by line.
package struct Output: DependencyKey {
  package static let defaultValue = Output(
    print: { try? FileHandle.standardOutput.write(contentsOf: Data("\($0)\n".utf8)) },
    printError: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) }
  )

  package var print: @Sendable (_ line: String) -> Void
  package var printError: @Sendable (_ line: String) -> Void

  package init(
    print: @escaping @Sendable (_ line: String) -> Void,
    printError: @escaping @Sendable (_ line: String) -> Void
  ) {
    self.print = print
    self.printError = printError
  }
}

extension Dependencies {
  /// The output of the program.
  package var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }
}
