import CordonContacts
import CordonCore
import Testing

@Suite("Observed contacts against true ones")
struct ContactAgreementTests {
  private func contact(_ first: Int32, _ second: Int32, _ seconds: ClosedRange<Int64>, floor: Int32 = 0) -> Contact {
    Contact(
      first: first, second: second, floor: floor, start: seconds.lowerBound * 1_000_000,
      end: seconds.upperBound * 1_000_000, minimumDistance: 1, minimumDistanceTime: seconds.lowerBound * 1_000_000,
      x: 0, y: 0)
  }

  @Test func sharesCountTimeThatBothHave() {
    let truth = [contact(0, 1, 0...1_000), contact(0, 2, 0...100)]
    let observed = [contact(0, 1, 500...1_500), contact(1, 2, 0...50)]
    let agreement = ContactAgreement(observed: observed, truth: truth)
    #expect(agreement.trueMicroseconds == 1_100_000_000)
    #expect(agreement.observedMicroseconds == 1_050_000_000)
    #expect(agreement.sharedMicroseconds == 500_000_000)
    #expect(agreement.precisionSeconds == 500.0 / 1_050)
    #expect(agreement.recallSeconds == 500.0 / 1_100)
    // Both 1 000 s meetings reach 15 minutes, and they are of the same pair.
    #expect(agreement.precisionPairs15Min == 1)
    #expect(agreement.recallPairs15Min == 1)
  }

  @Test func zeroOfZeroIsNotAShare() {
    let agreement = ContactAgreement(observed: [], truth: [])
    #expect(agreement.precisionSeconds == nil)
    #expect(agreement.recallSeconds == nil)
    #expect(agreement.precisionPairs15Min == nil)
    #expect(agreement.recallPairs15Min == nil)
  }

  @Test func onlyTheGivenDevicesCount() {
    let truth = [contact(0, 1, 0...1_000), contact(0, 2, 0...1_000)]
    let agreement = ContactAgreement(observed: [contact(0, 1, 0...1_000)], truth: truth, among: [0, 1])
    #expect(agreement.recallSeconds == 1)
    #expect(agreement.truePairs == 1)
  }

  @Test func aMeetingMaySpanPiecesAndTwoFloors() {
    let truth = [contact(0, 1, 0...1_000)]
    let observed = [contact(0, 1, 0...400), contact(0, 1, 300...700, floor: 1_000), contact(0, 1, 800...1_000)]
    let agreement = ContactAgreement(observed: observed, truth: truth)
    #expect(agreement.observedMicroseconds == 900_000_000)
    #expect(agreement.precisionSeconds == 1)
    #expect(agreement.recallPairs15Min == 1)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func swappingTheInputsSwapsPrecisionAndRecall(seed: UInt64) {
    func random(_ stream: UInt32) -> [Contact] {
      var stream = RandomStream(seed: seed, stream: stream)
      return (0..<60).map { _ in
        let first = Int32(stream.nextIndex(below: 5))
        let start = Int64(stream.nextIndex(below: 5_000))
        return contact(
          first, first + 1 + Int32(stream.nextIndex(below: 4)), start...(start + Int64(stream.nextIndex(below: 900))))
      }
    }
    var totals = (observed: Int64(0), truth: Int64(0), shared: Int64(0))
    let forth = ContactAgreement(observed: random(1), truth: random(2)) {
      totals = (totals.observed + $0, totals.truth + $1, totals.shared + $2)
    }
    let back = ContactAgreement(observed: random(2), truth: random(1))
    #expect(forth.precisionSeconds == back.recallSeconds, "seed \(seed)")
    #expect(forth.recallPairs15Min == back.precisionPairs15Min, "seed \(seed)")
    #expect(totals.observed == forth.observedMicroseconds)
    #expect(totals.truth == forth.trueMicroseconds)
    #expect(totals.shared == forth.sharedMicroseconds)
    #expect(forth.sharedMicroseconds <= min(forth.observedMicroseconds, forth.trueMicroseconds))
  }
}
