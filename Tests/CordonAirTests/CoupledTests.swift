import CordonAir
import CordonCore
import Testing

@Suite("Spaces that exchange air")
struct CoupledTests {
  private let hour: Int64 = 3_600_000
  private let loads = [AirLoad(co2: 0.018, quanta: 0, inhaled: 0.5), AirLoad(co2: 0.018, quanta: 25, inhaled: 0.5)]

  /// Random numbers from 0 to 1; the seed is printed with a failure.
  private struct Generator {
    var state: UInt64
    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 9_007_199_254_740_992
    }
  }

  private func building(_ random: inout Generator, closed: Bool = false) -> AirModel {
    let count = 3 + Int(random.next() * 6)
    let spaces = (0..<count).map { index in
      AirSpace(
        id: "\(index)", volume: 5 + 300 * random.next(), airChanges: closed ? 0 : 4 * random.next(),
        filtration: closed ? 0 : random.next())
    }
    let links = (1..<count).map { AirLink($0, Int(random.next() * Double($0)), flow: 500 * random.next()) }
    return AirModel(spaces: spaces, links: links, quantaLoss: closed ? 0 : 0.92)
  }

  private func stays(_ model: AirModel, _ random: inout Generator, count: Int = 40) -> [AirStay] {
    (0..<count).map { index in
      let start = Int64(random.next() * 7 * 3_600_000)
      return AirStay(
        person: Int32(index), space: Int(random.next() * Double(model.spaces.count)), load: index % 7 == 0 ? 1 : 0,
        start: start, end: start + 1 + Int64(random.next() * 3_600_000))
    }
  }

  @Test func twoRoomsFollowTheirTwoExponentials() {
    // Equal rooms without ventilation: the sum grows with the source, the difference approaches s / 2q.
    let (volume, flow) = (30.0, 90.0)
    let rooms = [0, 1].map { AirSpace(id: "\($0)", volume: volume, airChanges: 0) }
    let model = AirModel(spaces: rooms, links: [AirLink(0, 1, flow: flow)], outdoorCO2: 400, quantaLoss: 0)
    let stay = AirStay(person: 0, space: 0, load: 1, start: 0, end: 6 * hour)
    let result = model.run(stays: [stay], loads: loads, start: 0, end: 6 * hour, bin: hour / 4)
    let (source, rate) = (0.018 / volume * 1e6, 2 * flow / volume)
    for (index, pair) in zip(result[0], result[1]).enumerated() {
      let t = Double(index + 1) / 4
      let sum = source * t
      let difference = source / rate * (1 - PortableMath.exp(-rate * t))
      #expect(abs(pair.0.co2AtEnd - 400 - (sum + difference) / 2) < 1e-7)
      #expect(abs(pair.1.co2AtEnd - 400 - (sum - difference) / 2) < 1e-7)
    }
    // The dose is the integral of the concentration.
    let t = 6.0
    let integral = (25 / volume) * (t * t / 2 + (t - (1 - PortableMath.exp(-rate * t)) / rate) / rate) / 2
    #expect(abs(result.doses[0].quanta - integral * 0.5) < 1e-9 * integral)
  }

  @Test(arguments: 1...20)
  func closedBuildingsKeepWhatWasEmitted(_ seed: UInt64) {
    var random = Generator(state: seed)
    var model = building(&random, closed: true)
    let stays = stays(model, &random)
    for step in [Int64(0), 10_000] {
      model.step = step
      let result = model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour)
      let emitted = stays.reduce(0) { $0 + Double($1.end - $1.start) / 3_600_000 * 0.018 }
      let held = model.spaces.indices.reduce(0) {
        $0 + (result[$1].last!.co2AtEnd - model.outdoorCO2) * model.spaces[$1].volume / 1e6
      }
      #expect(abs(held - emitted) < 1e-10 * emitted, "seed \(seed), step \(step)")
      let shed = stays.filter { $0.load == 1 }.reduce(0) { $0 + Double($1.end - $1.start) / 3_600_000 * 25 }
      let there = model.spaces.indices.reduce(0) { $0 + result[$1].last!.quantaAtEnd * model.spaces[$1].volume }
      #expect(abs(there - shed) < 1e-10 * shed, "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: 1...20)
  func levelsAreWithinTheirBoundsAndGrowWithTheSources(_ seed: UInt64) {
    var random = Generator(state: seed)
    let model = building(&random)
    let few = stays(model, &random)
    let many = few + stays(model, &random)
    let a = model.run(stays: few, loads: loads, start: 0, end: 8 * hour, bin: hour / 6)
    let b = model.run(stays: many, loads: loads, start: 0, end: 8 * hour, bin: hour / 6)
    for space in model.spaces.indices {
      for (first, second) in zip(a[space], b[space]) {
        #expect(first.co2 >= model.outdoorCO2 && first.quanta >= 0, "seed \(seed)")
        #expect(second.co2AtEnd >= first.co2AtEnd - 1e-9 && second.quantaAtEnd >= first.quantaAtEnd - 1e-12)
      }
    }
    // More outdoor air: less of everything.
    var aired = model
    for space in aired.spaces.indices { aired.spaces[space].airChanges += 3 }
    let c = aired.run(stays: few, loads: loads, start: 0, end: 8 * hour, bin: hour / 6)
    for space in model.spaces.indices {
      for (first, second) in zip(a[space], c[space]) { #expect(second.co2AtEnd <= first.co2AtEnd + 1e-9) }
    }
    for (first, second) in zip(a.doses, c.doses) { #expect(second.quanta <= first.quanta + 1e-12) }
  }

  @Test(arguments: 1...10)
  func theSolutionIsThatOfManySmallSteps(_ seed: UInt64) {
    var random = Generator(state: seed)
    let model = building(&random)
    let stays = stays(model, &random, count: 12)
    let result = model.run(stays: stays, loads: loads, start: 0, end: 2 * hour, bin: 2 * hour)
    // Runge and Kutta, fourth order, steps of 0.5 s at most, cut at changes.
    let times = Set(stays.flatMap { [$0.start, $0.end] } + [0, 2 * hour]).filter { $0 <= 2 * hour }.sorted()
    var level = [Double](repeating: 0, count: model.spaces.count)
    func slope(_ c: [Double], _ source: [Double]) -> [Double] {
      var d = c.indices.map { source[$0] - model.spaces[$0].airChanges * c[$0] }
      for link in model.links {
        let q = link.flow * (c[link.second] - c[link.first])
        d[link.first] += q / model.spaces[link.first].volume
        d[link.second] -= q / model.spaces[link.second].volume
      }
      return d
    }
    for (from, to) in zip(times, times.dropFirst()) {
      var source = level.map { _ in 0.0 }
      for stay in stays where stay.start <= from && stay.end >= to {
        source[stay.space] += 0.018 / model.spaces[stay.space].volume * 1e6
      }
      let steps = Int((to - from) / 500) + 1
      let h = Double(to - from) / 3_600_000 / Double(steps)
      for _ in 0..<steps {
        let k1 = slope(level, source)
        let k2 = slope(zip(level, k1).map { $0 + h / 2 * $1 }, source)
        let k3 = slope(zip(level, k2).map { $0 + h / 2 * $1 }, source)
        let k4 = slope(zip(level, k3).map { $0 + h * $1 }, source)
        for i in level.indices { level[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) }
      }
    }
    for space in model.spaces.indices {
      #expect(abs(result[space][0].co2AtEnd - model.outdoorCO2 - level[space]) < 1e-6, "seed \(seed)")
    }
  }

  @Test func aLinkWithoutFlowChangesNothing() {
    var random = Generator(state: 3)
    var model = building(&random)
    let stays = stays(model, &random)
    model.links = []
    let alone = model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour)
    model.links = [AirLink(0, 1, flow: 0)]
    #expect(model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour) == alone)
    // A tiny flow gives nearly the same by the other solver.
    model.links = (1..<model.spaces.count).map { AirLink(0, $0, flow: 1e-9) }
    let joined = model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour)
    for space in model.spaces.indices {
      for (a, b) in zip(alone[space], joined[space]) {
        #expect(
          abs(a.co2 - b.co2) < 1e-6 && abs(a.people - b.people) < 1e-9 && abs(a.quantaAtEnd - b.quantaAtEnd) < 1e-9)
      }
    }
    for (a, b) in zip(alone.doses, joined.doses) {
      #expect(abs(a.quanta - b.quanta) < 1e-9 && abs(a.co2Hours - b.co2Hours) < 1e-6 && a.hours == b.hours)
    }
  }

  @Test func aStepOfTenSecondsIsCloseToTheExactSolution() {
    var random = Generator(state: 5)
    var model = building(&random)
    let stays = stays(model, &random)
    let exact = model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour / 12)
    model.step = 10_000
    let stepped = model.run(stays: stays, loads: loads, start: 0, end: 8 * hour, bin: hour / 12)
    for space in model.spaces.indices {
      for (a, b) in zip(exact[space], stepped[space]) { #expect(abs(a.co2AtEnd - b.co2AtEnd) < 1) }
    }
    let (a, b) = (exact.doses.reduce(0) { $0 + $1.quanta }, stepped.doses.reduce(0) { $0 + $1.quanta })
    #expect(abs(a - b) < 0.001 * a)
  }

  @Test func strongExchangeMakesOneRoomOfTwo() {
    let rooms = [AirSpace(id: "a", volume: 20, airChanges: 2), AirSpace(id: "b", volume: 60, airChanges: 2)]
    let model = AirModel(spaces: rooms, links: [AirLink(0, 1, flow: 1e6)])
    let one = AirModel(spaces: [AirSpace(id: "ab", volume: 80, airChanges: 2)])
    let stay = AirStay(person: 0, space: 0, load: 1, start: 0, end: 2 * hour)
    let a = model.run(stays: [stay], loads: loads, start: 0, end: 3 * hour, bin: hour)
    let b = one.run(stays: [stay], loads: loads, start: 0, end: 3 * hour, bin: hour)
    for (x, y) in zip(a[1], b[0]) { #expect(abs(x.co2AtEnd - y.co2AtEnd) < 0.1) }
  }
}
