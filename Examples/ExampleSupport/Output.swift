package import ComposableDependencies

/// The output of an example, line by line.
package struct Output: DependencyKey {
  package static let defaultValue = Output { Swift.print($0) }

  package var print: @Sendable (_ line: String) -> Void

  package init(print: @escaping @Sendable (_ line: String) -> Void) { self.print = print }
}

extension Dependencies {
  /// The output of the program.
  package var output: Output {
    get { self[Output.self] }
    set { self[Output.self] = newValue }
  }
}
