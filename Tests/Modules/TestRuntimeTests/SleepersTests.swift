import StandardDependencies
import TestSupport
import Testing

@testable import TestRuntime

@Suite("The sleepers of a clock")
struct SleepersTests {
  @Test("wake in the order of deadlines, and then of their arrival, unless they are cancelled")
  func model() {
    var numbers = SplitMix64(seed: 11)
    func number(below bound: Int) -> Int { .random(in: 0..<bound, using: &numbers) }
    var (sleepers, model) = (Sleepers<Int>(), [(deadline: Duration, id: Int)]())
    for step in 0..<4_000 {
      // Grows and shrinks in turn.
      switch number(below: step / 400 % 2 == 0 ? 5 : 12) {
      case 0...3:
        let (deadline, id) = (Duration.seconds(number(below: 50)), sleepers.makeID())
        sleepers.insert(id, until: deadline, id)
        let index = model.firstIndex { $0.deadline > deadline } ?? model.count
        model.insert((deadline, id), at: index)
      case 4...8 where !model.isEmpty:
        let id = model.remove(at: number(below: model.count)).id
        let cancelled = (first: sleepers.cancel(id), again: sleepers.cancel(id))
        #expect(cancelled == (id, nil))
      default:
        let end = Duration.seconds(number(below: 50))
        let isDue = model.first.map { $0.deadline <= end } ?? false
        let first = isDue ? model.removeFirst() : nil
        let woken = sleepers.popFirst(through: end)
        #expect(woken?.sleep == first?.id && woken?.deadline == first?.deadline)
      }
      #expect(sleepers.count == model.count)
      let next = sleepers.nextDeadline
      #expect(next == model.first?.deadline)
      if step % 100 == 0 { #expect(sleepers.sorted.map(\.sleep) == model.map(\.id)) }
    }
    let first = model.isEmpty ? nil : model.removeFirst()
    let (woken, left) = (sleepers.popFirst(through: nil), sleepers.removeAll())
    #expect(woken?.sleep == first?.id && left.map(\.sleep) == model.map(\.id))
    let (next, rest) = (sleepers.nextDeadline, sleepers.removeAll())
    #expect(sleepers.count == 0 && next == nil && rest.isEmpty)
  }
}
