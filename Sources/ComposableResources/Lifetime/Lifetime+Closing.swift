internal import ComposableDependencies

extension Lifetime {
  /// Closes every resource, even if the caller is cancelled.
  func close() async {
    // In its own task, because Swift can't shield a task from cancellation.
    if update({ $0.isAnythingLeft }) {
      await task(in: scope) { await self.closeAll() }.value
    }
    didClose()
  }

  /// Closes every resource, in a task that isn't cancelled.
  func closeAll() async {
    if update({ !$0.isAnythingLeft }) { return }
    #if DEBUG
      let watch = Task { await reportSlowClosing() }
      defer { watch.cancel() }
    #endif
    for task in update({ $0.beginClosing() }) { task.cancel() }
    await wait { !$0.isAnyOpening }
    await innerScope.enter {
      while let next = update({ $0.nextToClose() }) {
        next.task?.cancel()
        if next.isLive { await wait { !$0.resources[next.index].isLive } }
        await close(next.key, next.value)
        update { $0.didClose(next.index) }
      }
    }
  }

  private func close<Key: ResourceKey>(_ key: Key.Type, _ value: any Sendable) async {
    await Key.close(value as! Key.Value)
  }

  #if DEBUG
    private func reportSlowClosing() async {
      let limit = scope.resourceClosingTime
      guard (try? await Task.sleep(for: limit)) != nil else { return }
      guard let (key, function) = update({ $0.closingStep }) else { return }
      let isCancelled = function != "close"
      report(
        """
        A lifetime has been closing for longer than \(limit). It waits for `\(function)` of \
        `\(key)`\(isCancelled ? ", which was cancelled," : "") to return.
        """,
        """
        make `\(function)` return soon\(isCancelled ? " after a cancellation" : ""). If it needs \
        more time, set a longer `resourceClosingTime`.
        """)
    }
  #endif
}
