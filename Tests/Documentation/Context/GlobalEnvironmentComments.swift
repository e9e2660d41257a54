private struct Account: GlobalEnvironment {}
