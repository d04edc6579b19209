import CordonAir
import CordonCore
import Testing

@Suite("Closed forms of the balance of a space")
struct DecayTests {
  private let hour: Int64 = 3_600_000
  private let one = AirLoad(co2: 0.018, quanta: 25, inhaled: 0.5)

  private func run(
    _ space: AirSpace, people: [(Double, Double)], hours: Double, rule: UpdateRule = .exact, loss: Double = 0.92
  ) -> (result: AirResult, stays: [AirStay]) {
    let model = AirModel(spaces: [space], outdoorCO2: 400, quantaLoss: loss, rule: rule)
    let stays = people.enumerated().map { index, stay in
      AirStay(
        person: Int32(index), space: 0, load: 0, start: Int64(stay.0 * 3_600_000), end: Int64(stay.1 * 3_600_000))
    }
    let result = model.run(stays: stays, loads: [one], start: 0, end: Int64(hours * 3_600_000), bin: hour)
    return (result, stays)
  }

  @Test(arguments: [0, 1e-12, 1e-6, 0.01, 0.3, 0.499_999, 0.5, 0.7, 2, 30])
  func theFunctionsSolveTheirDefinitions(_ x: Double) {
    // Integrals by Gauss's rule of 5 points in 400 parts.
    func integral(_ f: (Double) -> Double) -> Double {
      let nodes = [
        (-0.906179845938664, 0.236926885056189), (-0.538469310105683, 0.478628670499366), (0, 0.568888888888889),
      ]
      var sum = 0.0
      for part in 0..<400 {
        let (low, high) = (Double(part) / 400, Double(part + 1) / 400)
        for (node, weight) in nodes {
          for sign in node == 0 ? [1.0] : [-1, 1] {
            sum += weight * f((low + high) / 2 + sign * node * (high - low) / 2) * (high - low) / 2
          }
        }
      }
      return sum
    }
    let f1 = integral { PortableMath.exp(-x * $0) }
    #expect(abs(DecayFunctions.f1(x) - f1) < 1e-12 * f1)
    let f2 = integral { (1 - $0) * PortableMath.exp(-x * $0) }
    #expect(abs(DecayFunctions.f2(x) - f2) < 1e-12 * f2)
    #expect(abs(DecayFunctions.atLeastOne(x) - x * f1) <= 1e-12 * x * f1)
  }

  @Test func theFunctionsApproachTheirLimits() {
    #expect(abs(DecayFunctions.f1(700) * 700 - 1) < 1e-15 && abs(DecayFunctions.f2(700) * 700 - 699.0 / 700) < 1e-15)
    #expect(DecayFunctions.atLeastOne(700) == 1 && DecayFunctions.atLeastOne(0) == 0 && DecayFunctions.f2(0) == 0.5)
  }

  @Test func theLevelRisesToTheSteadyState() {
    let space = AirSpace(id: "room", volume: 50, airChanges: 3)
    let (result, _) = run(space, people: [(0, 10)], hours: 10)
    for (index, bin) in result[0].enumerated() {
      let t = Double(index + 1)
      let co2 = 400 + 0.018 / 50 * 1e6 / 3 * (1 - PortableMath.exp(-3 * t))
      #expect(abs(bin.co2AtEnd - co2) < 1e-9 * co2)
      let quanta = 25 / 50 / 3.92 * (1 - PortableMath.exp(-3.92 * t))
      #expect(abs(bin.quantaAtEnd - quanta) < 1e-12)
      #expect(bin.people == 1 && bin.infectious == 1)
    }
    #expect(abs(result[0].last!.co2AtEnd - 520) < 1e-6)
    #expect(result.peakCO2[0] == result[0].last!.co2AtEnd)
  }

  @Test func theMeanOfAnIntervalIsTheEstimatorsFormula() {
    // Miller et al. 2020: the mean over an event that begins in clean air.
    let space = AirSpace(id: "room", volume: 50, airChanges: 3)
    for hours in [0.1, 0.5, 1, 4.0] {
      let model = AirModel(spaces: [space], outdoorCO2: 400, quantaLoss: 0.92)
      let end = Int64(hours * 3_600_000)
      let stay = AirStay(person: 0, space: 0, load: 0, start: 0, end: end)
      let result = model.run(stays: [stay], loads: [one], start: 0, end: end, bin: end)
      let x = 3.92 * hours
      let mean = 25 / 3.92 / 50 * (1 - (1 - PortableMath.exp(-x)) / x)
      #expect(abs(result[0][0].quanta - mean) < 1e-12 * mean)
      #expect(abs(result.doses[0].quanta - mean * hours * 0.5) < 1e-12)
    }
  }

  @Test func withoutVentilationNothingIsLost() {
    let space = AirSpace(id: "box", volume: 40, airChanges: 0)
    let (result, _) = run(space, people: [(0, 2), (1, 3.5)], hours: 6, loss: 0)
    // 4.5 hours of one person.
    #expect(abs(result[0].last!.co2AtEnd - 400 - 0.018 * 4.5 / 40 * 1e6) < 1e-8)
    #expect(abs(result[0].last!.quantaAtEnd * 40 - 25 * 4.5) < 1e-9)
  }

  @Test func theAirDecaysWhenPeopleHaveLeft() {
    let space = AirSpace(id: "room", volume: 50, airChanges: 2)
    let (result, _) = run(space, people: [(0, 3)], hours: 8)
    let bins = Array(result[0])
    for index in 3..<8 {
      let ratio = (bins[index].co2AtEnd - 400) / (bins[index - 1].co2AtEnd - 400)
      #expect(abs(ratio - PortableMath.exp(-2)) < 1e-9)
      #expect(bins[index].people == 0)
    }
  }

  @Test func theResultDoesNotDependOnTheBinsOrOnSplitStays() {
    let space = AirSpace(id: "room", volume: 50, airChanges: 1.5)
    let model = AirModel(spaces: [space])
    let whole = [
      AirStay(person: 0, space: 0, load: 0, start: 0, end: 4 * hour),
      AirStay(person: 1, space: 0, load: 0, start: hour, end: 3 * hour),
    ]
    let parts = (0..<40).map { part in
      AirStay(person: 0, space: 0, load: 0, start: Int64(part) * hour / 10, end: Int64(part + 1) * hour / 10)
    }
    let a = model.run(stays: whole, loads: [one], start: 0, end: 4 * hour, bin: hour)
    let b = model.run(stays: parts + [whole[1]], loads: [one], start: 0, end: 4 * hour, bin: hour / 7)
    #expect(abs(a[0].last!.co2AtEnd - b[0].last!.co2AtEnd) < 1e-9)
    #expect(abs(a.doses[0].quanta - b.doses[..<40].reduce(0) { $0 + $1.quanta }) < 1e-12)
    #expect(abs(a.doses[1].quanta - b.doses[40].quanta) < 1e-12)
    #expect(abs(a.doses[0].co2Hours - b.doses[..<40].reduce(0) { $0 + $1.co2Hours }) < 1e-8)
  }

  @Test func theOtherRuleTakesTheMeanOfWhatWasEmitted() {
    let space = AirSpace(id: "room", volume: 50, airChanges: 3)
    let exact = run(space, people: [(0, 1)], hours: 1).result
    let mean = run(space, people: [(0, 1)], hours: 1, rule: .intervalMean).result
    // One interval from clean air: the level at its end is the exact mean.
    #expect(abs(mean[0][0].co2AtEnd - exact[0][0].co2) < 1e-9)
    #expect(abs(mean.doses[0].quanta - exact.doses[0].quanta) < 1e-12)
    // Many intervals: half of what was emitted.
    let model = AirModel(spaces: [space], outdoorCO2: 400, rule: .intervalMean)
    let parts = (0..<3_600).map { second in
      AirStay(person: 0, space: 0, load: 0, start: Int64(second) * 1_000, end: Int64(second + 1) * 1_000)
    }
    let many = model.run(stays: parts, loads: [one], start: 0, end: hour, bin: hour)
    let ratio = (many[0][0].co2AtEnd - 400) / (exact[0][0].co2AtEnd - 400)
    #expect(abs(ratio - 0.5) < 0.001)
  }
}
