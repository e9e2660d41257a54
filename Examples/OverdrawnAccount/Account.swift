/// An account that must never be overdrawn.
actor Account {
  private(set) var balance: Int

  init(balance: Int) { self.balance = balance }

  /// Pays out an amount if there is enough.
  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    // The check and the change stand together. While an actor waits, it runs other calls.
    balance -= amount
    await sendReceipt(amount)
  }
}

/// An account with a bug that few runs show.
actor CarelessAccount {
  private(set) var balance: Int

  init(balance: Int) { self.balance = balance }

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await sendReceipt(amount)
    balance -= amount
  }
}

/// Waits as for a server, but only sometimes.
private func sendReceipt(_ amount: Int) async {
  if amount > 50 { await Task.yield() }
}
