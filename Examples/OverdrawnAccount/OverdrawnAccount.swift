/// Withdraws twice at the same time, and prints how often the account was overdrawn.
///
/// `swift test --filter OverdrawnAccountTests` finds the order of tasks that overdraws it, and
/// shows it step by step.
@main
enum OverdrawnAccount {
  static func main() async {
    var overdrawn = 0
    for _ in 1...1000 {
      let account = CarelessAccount(balance: 100)
      async let first: Void = account.withdraw(80)
      async let second: Void = account.withdraw(80)
      _ = await (first, second)
      if await account.balance < 0 { overdrawn += 1 }
    }
    print("overdrawn in \(overdrawn) of 1000 runs")
  }
}
