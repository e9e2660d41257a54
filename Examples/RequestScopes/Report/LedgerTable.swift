/// Returns what was opened and closed, one kind per line, and whether anything is still open.
func table(_ ledger: Ledger) -> String {
  let titles = line("RESOURCE", ["OPENED", "CLOSED"])
  let rows = Ledger.Kind.allCases.map { kind in
    line(kind.rawValue, ["\(ledger.opened(kind))", "\(ledger.closed(kind))"])
  }
  return ([titles] + rows + [summary(ledger)]).joined(separator: "\n")
}

private func summary(_ ledger: Ledger) -> String {
  let rolledBack = ledger.opened(.transaction) - ledger.committed
  let transactions = "\(ledger.committed) committed, \(rolledBack) rolled back"
  let left = Ledger.Kind.allCases.filter { ledger.left($0) != 0 }
  if left.isEmpty { return "\(transactions), nothing left open" }
  let counts = left.map { "\($0.rawValue) \(ledger.left($0))" }
  return "\(transactions), LEFT OPEN: \(counts.joined(separator: ", "))"
}
