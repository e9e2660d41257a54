package import ComposableEnvironment
import StandardDependencies

/// Checks all files below a folder, several at a time.
///
/// An environment captures the scope that creates it. The environments that it derives are created
/// in that scope, too, on any task.
package struct LinkChecker: ComposableEnvironment {
  package let scope = DependencyScope.current
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.continuousClock) var clock
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.maxOpenFiles) var maxOpenFiles
  @Dependency(\.output) var output
  @DerivedEnvironment<FileChecker> var fileChecker

  package init() {}

  /// Returns the broken links of a file, or of all files below a folder.
  ///
  /// If its task is cancelled, it begins no further file, and the report says so.
  package func check(_ start: Path) async -> Report {
    var report = Report()
    report.elapsed = await clock.measure {
      let files = files(in: start, &report)
      await check(files, &report)
    }
    output.endProgress()
    return report
  }

  private func check(_ files: [Path], _ report: inout Report) async {
    let fileChecker = fileChecker.with(\.anchorIndex, AnchorIndex())
      .with(\.bundleIndex, BundleIndex())
    await withTaskGroup(of: FileReport?.self) { group in
      for (index, file) in files.enumerated() {
        if index >= maxOpenFiles, let finished = await group.next() { report.add(finished) }

        // Each file has its own scope, which the environment carries into the task.
        let checker =
          fileChecker
          .with(\.baseFolder, file.folder)
          .with(
            \.output,
            output.tagged("\(index + 1)/\(files.count)").tagged(file.relative(to: baseFolder)))
        let isAdded = group.addTaskUnlessCancelled { await checker.check(file) }
        if !isAdded {
          report.isInterrupted = true
          break
        }
      }
      for await finished in group { report.add(finished) }
    }
  }
}
