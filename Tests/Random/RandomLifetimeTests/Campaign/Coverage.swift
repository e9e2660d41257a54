/// What can happen in a program.
enum Happening {
  static let all = [
    "lifetime in none", "lifetime in another", "operation", "no operation", "opened", "closed",
    "failed opening", "failed run", "failed operation", "cancelled operation", "returned", "read",
    "read after the end", "other read after the end", "asked for an override",
    "asked for a listed resource", "asked for a failed resource", "asked in the same lifetime",
    "asked in an outer lifetime", "cycle",
  ]
}
