import CordonCore
import Testing

@testable import CordonContacts

/// The probability of being within a distance, compared with published vectors, integration and simulation.
@Suite struct ProbabilityTests {
  struct Vector: Sendable {
    var measured: Double
    var sigma1: Double
    var sigma2: Double
    var probability: Double
    var tolerance = 1e-9
  }

  /// For a distance of 2 m; computed with the noncentral chi-square and the Rice distribution.
  static let vectors = [
    Vector(measured: 0, sigma1: 0.5, sigma2: 0.5, probability: 0.981684361111),
    Vector(measured: 1, sigma1: 0.5, sigma2: 0.5, probability: 0.876618552145),
    Vector(measured: 2, sigma1: 0.5, sigma2: 0.5, probability: 0.428284109072),
    Vector(measured: 3, sigma1: 0.5, sigma2: 0.5, probability: 0.059409390158),
    Vector(measured: 1, sigma1: 1, sigma2: 1, probability: 0.545737098862),
    Vector(measured: 2, sigma1: 1, sigma2: 2, probability: 0.237925529040),
    Vector(measured: 0, sigma1: 3.31, sigma2: 3.31, probability: 0.087231832556),
    Vector(measured: 5, sigma1: 3.31, sigma2: 3.31, probability: 0.050584324452),
    Vector(measured: 10, sigma1: 1, sigma2: 1, probability: 3.279e-9, tolerance: 1e-12),
  ]

  @Test(arguments: vectors)
  func probabilitiesAgreeWithTheVectors(vector: Vector) {
    let found = ContactProbability.within(2, measured: vector.measured, sigma1: vector.sigma1, sigma2: vector.sigma2)
    #expect(abs(found - vector.probability) < vector.tolerance)
  }

  @Test func fiveMetreAccuraciesNeverProveTwoMetres() {
    let expected = [(1.0, 0.898), (2.0, 0.434), (3.0, 0.224), (5.0, 0.087), (10.0, 0.023)]
    for (accuracy, largest) in expected {
      let found = ContactProbability.largest(within: 2, accuracy1: accuracy, accuracy2: accuracy)
      #expect(abs(found - largest) < 5e-4)
    }
    #expect(abs(ContactProbability.sigma(accuracy: 1.5096) - 1) < 1e-4)
  }

  @Test func probabilitiesStayWithinZeroAndOne() {
    var random = RandomStream(seed: 8, stream: 1)
    for _ in 0..<3_000 {
      let scale = PortableMath.exp(random.nextUniform(in: -8...8))
      let w = random.nextUnit() * scale
      let u = random.nextUnit() * scale
      let p = ContactProbability.within(ratio: w, noncentrality: u)
      #expect(p >= 0 && p <= 1, "w \(w) u \(u)")
      #expect(ContactProbability.within(ratio: w * 1.01, noncentrality: u) >= p - 1e-10, "w \(w) u \(u)")
      #expect(ContactProbability.within(ratio: w, noncentrality: u * 1.01) <= p + 1e-10, "w \(w) u \(u)")
    }
    #expect(ContactProbability.within(2, measured: 1, sigma1: 0, sigma2: 0) == 1)
    #expect(ContactProbability.within(2, measured: 3, sigma1: 0, sigma2: 0) == 0)
    #expect(ContactProbability.within(2, measured: 1e9, sigma1: 1, sigma2: 1) == 0)
    #expect(ContactProbability.within(-1, measured: 1, sigma1: 1, sigma2: 1).isNaN)
    #expect(ContactProbability.within(2, measured: .nan, sigma1: 1, sigma2: 1).isNaN)
  }

  @Test func theTableApproximatesTheFunction() {
    var table = ProbabilityTable()
    var random = RandomStream(seed: 9, stream: 1)
    for _ in 0..<2_000 {
      let (w, u) = (random.nextUnit() * 6, random.nextUnit() * 8)
      let exact = ContactProbability.within(ratio: w, noncentrality: u)
      #expect(abs(table.within(ratio: w, noncentrality: u) - exact) < 2e-4)
    }
  }

  private func pair(accuracy: Float, seconds: Int64, gap: Double) -> ObservedTracks {
    var points: [TrackPoint] = []
    for device in 0..<2 {
      for k in 0...seconds / 5 {
        points.append(
          TrackPoint(device: Int32(device), floor: 0, time: k * 5_000, x: Double(device) * gap, y: Double(k)))
      }
    }
    return ObservedTracks(points, accuracies: points.map { _ in accuracy })
  }

  @Test func expectedSecondsAreTheIntegralOfTheProbability() throws {
    let tracks = pair(accuracy: 1.5, seconds: 600, gap: 1.25)
    let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
    var assessor = ContactAssessor(tracks, distance: 2)
    let assessed = assessor.assess(contact)
    let sigma = ContactProbability.sigma(accuracy: 1.5)
    let p = ContactProbability.within(2, measured: 1.25, sigma1: sigma, sigma2: sigma)
    #expect(abs((assessed.expectedSeconds ?? 0) - 600 * p) < 600 * 2e-4)
    #expect(assessed.probabilityOf15Minutes == 0)
    #expect(!assessed.isAssertable)
  }

  @Test func onlyGoodFixesCanAssertAContact() throws {
    for (accuracy, isAssertable) in [(Float(0.5), true), (5, false), (.nan, false)] {
      let tracks = pair(accuracy: accuracy, seconds: 1_200, gap: 0.5)
      let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
      var assessor = ContactAssessor(tracks, distance: 2)
      let assessed = assessor.assess(contact)
      #expect(assessed.isAssertable == isAssertable)
      if accuracy.isNaN {
        #expect(assessed.expectedSeconds == nil)
        #expect(assessed.probabilityOf15Minutes == nil)
      } else {
        #expect(assessed.probabilityOf15Minutes == (isAssertable ? 1 : 0))
      }
      var again = ContactAssessor(tracks, distance: 2)
      #expect(again.assess(contact) == assessed)
    }
  }

  /// One fix without an accuracy removes the value of the two segments that it ends, and of no others.
  @Test func aFixWithoutAnAccuracyVoidsItsSegmentsOnly() throws {
    let known = pair(accuracy: 1, seconds: 1_800, gap: 1)
    var accuracies = [Float](repeating: 1, count: known.points.count)
    accuracies[180] = .nan
    let tracks = ObservedTracks(known.points, accuracies: accuracies)
    let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
    var whole = ContactAssessor(known, distance: 2)
    var holed = ContactAssessor(tracks, distance: 2)
    let (full, part) = (whole.assess(contact), holed.assess(contact))
    let expected = try #require(full.expectedSeconds)
    #expect(full.unknownSeconds == 0 && full.unknownShare == 0)
    #expect(part.unknownSeconds == 10 && abs(part.unknownShare - 10 / 1_800) < 1e-12)
    #expect(abs((part.expectedSeconds ?? 0) - expected * 1_790 / 1_800) < 1e-6)
    #expect(part.probabilityOf15Minutes != nil)
  }

  /// A touch has the accuracies of its fixes, or none; fixes without a segment do not count.
  @Test func aTouchIsAssessedByItsFixes() throws {
    let points = [
      TrackPoint(device: 0, floor: 0, time: 0, x: 0, y: 0), TrackPoint(device: 0, floor: 0, time: 900_000, x: 0, y: 0),
      TrackPoint(device: 1, floor: 0, time: 0, x: 0.5, y: 0),
    ]
    for (accuracies, isAssertable) in [([0.5, .nan, 0.5], true), ([.nan, 0.5, 0.5], false)] as [([Float], Bool)] {
      let tracks = ObservedTracks(points, accuracies: accuracies)
      let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
      #expect(contact.duration == 0)
      var assessor = ContactAssessor(tracks, distance: 2)
      let assessed = assessor.assess(contact)
      #expect(assessed.isAssertable == isAssertable)
      #expect(assessed.expectedSeconds == (isAssertable ? 0 : nil) && assessed.unknownShare == (isAssertable ? 0 : 1))
    }
  }

  /// However accurate the fixes are, one of the two may have been a floor above.
  @Test func contactsOnUnknownFloorsAreNotAsserted() throws {
    for (floor, isAssertable) in [(Int32(0), true), (Segment.unknownFloor, false)] {
      let points = (0..<2).flatMap { device in
        (0..<20).map { k in
          TrackPoint(device: device, floor: device == 0 ? 0 : floor, time: k * 5_000, x: Double(device) * 0.5, y: 0)
        }
      }
      let tracks = ObservedTracks(points, accuracies: points.map { _ in 0.5 })
      let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
      var assessor = ContactAssessor(tracks, distance: 2)
      #expect(assessor.assess(contact).isAssertable == isAssertable)
      #expect((assessor.assess(contact).expectedSeconds ?? 0) > 90)
    }
  }

  @Test func theChanceOfFifteenMinutesRespectsCorrelation() throws {
    // Expected time close to 15 minutes of 25: about even odds, but far from certain with correlated errors.
    let tracks = pair(accuracy: 2, seconds: 1_500, gap: 0.4)
    let contact = try #require(ContactFinder(distance: 2).contacts(in: tracks).first)
    var quick = ContactAssessor(tracks, distance: 2)
    quick.correlationTime = .seconds(5)
    var slow = ContactAssessor(tracks, distance: 2)
    slow.correlationTime = .seconds(600)
    let (a, b) = (quick.assess(contact), slow.assess(contact))
    #expect(a.expectedSeconds == b.expectedSeconds)
    // The mean is near 650 s: with quick errors 900 s is out of reach, with slow ones it is not.
    #expect((a.probabilityOf15Minutes ?? 1) < 0.01)
    #expect((b.probabilityOf15Minutes ?? 0) > 0.1)
  }
}
