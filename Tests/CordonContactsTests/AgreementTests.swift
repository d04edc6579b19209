import CordonContacts
import CordonCore
import Testing

@Suite struct AgreementTests {
  static func contact(_ first: Int32, _ second: Int32, _ start: Int64, _ end: Int64, floor: Int32 = 0) -> Contact {
    Contact(
      first: first, second: second, floor: floor, start: start * 1_000_000, end: end * 1_000_000, minimumDistance: 1,
      minimumDistanceTime: start * 1_000_000, x: 0, y: 0)
  }

  @Test func sharesCountOverlapInTime() {
    let truth = [Self.contact(0, 1, 0, 1_000), Self.contact(0, 2, 0, 100)]
    let observed = [
      Self.contact(0, 1, 500, 800), Self.contact(0, 1, 700, 1_400, floor: 1_000), Self.contact(1, 2, 0, 50),
    ]
    let agreement = ContactAgreement(observed: observed, truth: truth)
    #expect(agreement.trueMicroseconds == 1_100_000_000)
    #expect(agreement.observedMicroseconds == 950_000_000)
    #expect(agreement.sharedMicroseconds == 500_000_000)
    #expect(agreement.precisionSeconds == 500.0 / 950)
    #expect(agreement.recallSeconds == 500.0 / 1_100)
    #expect((agreement.truePairs, agreement.observedPairs, agreement.sharedPairs) == (2, 2, 1))
    #expect((agreement.trueLongPairs, agreement.observedLongPairs, agreement.sharedLongPairs) == (1, 1, 1))
    #expect(agreement.absoluteErrorMicroseconds == 250_000_000)
  }

  @Test func warnedPeopleAreCountedPerHundred() {
    let truth = (1...4).map { Self.contact(0, Int32($0), 0, 900) }
    let observed = [Self.contact(0, 1, 0, 900), Self.contact(0, 2, 0, 899), Self.contact(5, 6, 0, 2_000)]
    let agreement = ContactAgreement(observed: observed, truth: truth)
    #expect(agreement.recallPairs15Min == 0.25)
    #expect(agreement.precisionPairs15Min == 0.5)
    #expect(agreement.warnedOf100 == 25)
    #expect(agreement.needlesslyPer100 == 25)
  }

  @Test func zeroOfZeroHasNoShare() {
    let none = ContactAgreement(observed: [], truth: [])
    #expect(none.precisionSeconds == nil && none.recallSeconds == nil)
    #expect(none.precisionPairs15Min == nil && none.recallPairs15Min == nil)
    #expect(none.warnedOf100 == nil && none.needlesslyPer100 == nil)
  }

  @Test func devicesWithoutFixesAreLeftOut() {
    let truth = [Self.contact(0, 1, 0, 1_000), Self.contact(0, 2, 0, 1_000)]
    let agreement = ContactAgreement(observed: [Self.contact(0, 1, 0, 1_000)], truth: truth, among: [0, 1])
    #expect(agreement.recallSeconds == 1)
    #expect(agreement.truePairs == 1)
  }

  @Test func aSetAgreesFullyWithItself() {
    let contacts = ContactFinder(distance: 2).contacts(in: RandomTracks().segments(seed: 2))
    let agreement = ContactAgreement(observed: contacts, truth: contacts.reversed(), threshold: .seconds(20))
    #expect(agreement.precisionSeconds == 1 && agreement.recallSeconds == 1)
    #expect(agreement.precisionPairs15Min == 1 && agreement.recallPairs15Min == 1)
    #expect(agreement.absoluteErrorMicroseconds == 0)
  }
}
