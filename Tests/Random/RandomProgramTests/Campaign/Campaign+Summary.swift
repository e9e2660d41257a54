extension Campaign.Report {
  /// Describes the failure, with the smallest program that shows it.
  func problem(of seeds: [UInt64]) -> String? {
    if let (program, failure) = failed {
      let text = program.text(comments: failure.comments)
      return """
        seed \(program.seed): \(failure.problem); SEED=\(program.seed) repeats it. The smallest \
        program that fails:
        \(text)
        """
    }
    if seeds.count >= 1000, !coverage.missing.isEmpty {
      return "never run: \(coverage.missing.map(\.rawValue).joined(separator: ", "))"
    }
    if notJudged * 20 > seeds.count, seeds.count >= 200 {
      return "\(notJudged) of \(seeds.count) programs mean nothing that can be compared"
    }
    return nil
  }

  var summary: String {
    "\(agreeing) programs agree in \(reads) reads; \(notJudged) are not judged\n\(coverage.table)"
  }
}
