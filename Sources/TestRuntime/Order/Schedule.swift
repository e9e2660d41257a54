/// An order of a test's jobs, as its differences from the plain one: first in, first out, and every
/// call succeeds.
package struct Schedule: Sendable, Equatable {
  /// A choice at which a job other than the longest-ready one runs, or at which a call fails.
  package struct Switch: Sendable, Equatable {
    /// The index of the choice in a run, from 0.
    ///
    /// A choice occurs when two or more jobs are ready, and where a call may fail.
    package var choice: Int
    /// The index of the chosen job, counted from the oldest, or the number of the error; never 0.
    package var index: Int

    package init(choice: Int, index: Int) {
      (self.choice, self.index) = (choice, index)
    }
  }

  /// In the order of their choices.
  package var switches: [Switch]
  /// The seed of a run's random numbers.
  package var seed: UInt64

  package init(switches: [Switch] = [], seed: UInt64 = 0) {
    (self.switches, self.seed) = (switches, seed)
  }

  /// First in, first out.
  package static let plain = Schedule()
}
