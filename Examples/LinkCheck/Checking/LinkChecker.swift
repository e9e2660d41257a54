import ComposableEnvironment

/// Checks all files below a folder, several at a time.
///
/// An environment captures the scope in which it is created. What it derives is created in that
/// scope too, whichever task asks for it.
struct LinkChecker: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.baseFolder) var baseFolder
  @Dependency(\.clock) var clock
  @Dependency(\.fileSystem) var fileSystem
  @Dependency(\.maxOpenFiles) var maxOpenFiles
  @Dependency(\.output) var output
  @DerivedEnvironment<FileChecker> var fileChecker

  /// What is broken in a file, or in all files below a folder.
  ///
  /// Where its task is cancelled, no further file is begun, and the report tells so.
  func check(_ start: Path) async -> Report {
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
    await withTaskGroup(of: FileReport?.self) { group in
      for (index, file) in files.enumerated() {
        if index >= maxOpenFiles, let finished = await group.next() { report.add(finished) }

        // Each file has a scope of its own. The environment carries it into the task.
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
