import Testing

@testable import random_numbers

@Suite("Random numbers")
struct RandomNumberTests {
  @Test("numbers match those that the generator's author published")
  func published() async {
    let generator = RandomNumber.seeded(1_234_567)
    // The reference values 6457827717110365317 and 3203168211198807973, modulo 1000.
    #expect(await generator(in: 0...999) == 317)
    #expect(await generator(in: 0...999) == 973)
  }

  @Test("every number of a range is drawn, and no other")
  func range() async {
    let generator = RandomNumber.seeded(7)
    var drawn: Set<Int> = []
    for _ in 1...1000 { await drawn.insert(generator(in: -2...2)) }
    #expect(drawn == [-2, -1, 0, 1, 2])
  }

  @Test("dice ignore the requested range")
  func dice() async {
    let dice = RandomNumber.seeded(7).dice
    var drawn: Set<Int> = []
    for _ in 1...1000 { await drawn.insert(dice(in: 100...200)) }
    #expect(drawn == [1, 2, 3, 4, 5, 6])
  }
}
