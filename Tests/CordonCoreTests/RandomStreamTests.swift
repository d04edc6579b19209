import Testing

@testable import CordonCore

@Suite("Counter-based random numbers")
struct RandomStreamTests {
  @Test func philoxKnownAnswers() {
    // The known-answer tests that the generator's authors publish for philox4x32-10.
    #expect(
      Philox.block(counter: (0, 0, 0, 0), key: (0, 0)) == (0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
    let ones = UInt32.max
    #expect(
      Philox.block(counter: (ones, ones, ones, ones), key: (ones, ones))
        == (0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd))
    #expect(
      Philox.block(
        counter: (0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344), key: (0xa409_3822, 0x299f_31d0))
        == (0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
  }

  @Test func numbersCanBeReadInAnyOrder() {
    var stream = RandomStream(seed: 7, stream: 3, entity: 42)
    let inOrder = (0..<10).map { _ in stream.next() }
    for index in (0..<5).reversed() {
      let pair = RandomStream(seed: 7, stream: 3, entity: 42).block(at: UInt64(index))
      #expect(pair.0 == inOrder[2 * index])
      #expect(pair.1 == inOrder[2 * index + 1])
    }
  }

  @Test func everyPartOfTheKeyChangesTheStream() {
    let firsts: Set<UInt64> = Set(
      [
        RandomStream(seed: 1, replica: 0, stream: 0, entity: 0),
        RandomStream(seed: 2, replica: 0, stream: 0, entity: 0),
        RandomStream(seed: 1, replica: 1, stream: 0, entity: 0),
        RandomStream(seed: 1, replica: 0, stream: 1, entity: 0),
        RandomStream(seed: 1, replica: 0, stream: 0, entity: 1),
        RandomStream(seed: 1, replica: 0, stream: 0, entity: 1 << 40),
      ].map { $0.block(at: 0).0 })
    #expect(firsts.count == 6)
  }

  @Test func distributionsHaveTheirMoments() {
    var stream = RandomStream(seed: 11, stream: 1)
    let count = 200_000
    var (unit, normal, square, exponential) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<count {
      unit += stream.nextUnit()
      let z = stream.nextNormal()
      normal += z
      square += z * z
      exponential += stream.nextExponential(mean: 3)
    }
    let n = Double(count)
    // Five standard errors of each mean.
    #expect(abs(unit / n - 0.5) < 5 * 0.2887 / n.squareRoot())
    #expect(abs(normal / n) < 5 / n.squareRoot())
    #expect(abs(square / n - 1) < 5 * 1.4142 / n.squareRoot())
    #expect(abs(exponential / n - 3) < 5 * 3 / n.squareRoot())
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func indexesStayBelowTheBoundAndReachItsEnds(bound: Int) {
    var stream = RandomStream(seed: 5, stream: 2)
    let drawn = (0..<20_000).map { _ in stream.nextIndex(below: bound) }
    #expect(drawn.allSatisfy { (0..<bound).contains($0) })
    #expect(Set(drawn).count == bound)
  }
}
