/// Run alone: in one process with tests that lose their scope on purpose, it would hear of theirs.
@Suite(
  "The code of Writing tests about lost scopes",
  .enabled(if: ProcessInfo.processInfo.environment["LOST_SCOPES"] != nil))
private enum LostScopes {
  // block: struct UploadTests
}
