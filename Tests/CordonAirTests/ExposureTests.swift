import CordonAir
import CordonCore
import Testing

@Suite("Risk and exposure")
struct ExposureTests {
  @Test func theRiskIsThatOfWellsAndRiley() {
    var person = PersonAir(person: 0, isInfectious: false)
    #expect(person.risk == 0)
    person.quanta = 1
    #expect(abs(person.longRangeRisk - (1 - PortableMath.exp(-1))) < 1e-15)
    person.nearbyQuanta = 1e-12
    #expect(abs(person.shortRangeRisk - 1e-12) < 1e-24)
    #expect(person.risk > person.longRangeRisk)
    person.quanta = 1e4
    #expect(person.risk == 1)
    person.isInfectious = true
    #expect(person.risk == 0 && person.longRangeRisk == 0 && person.shortRangeRisk == 0)
  }

  @Test func dosesAddUpPerPerson() {
    let model = AirModel(spaces: [
      AirSpace(id: "a", volume: 30, airChanges: 1), AirSpace(id: "b", volume: 30, airChanges: 1),
    ])
    let loads = [AirActivity.seated.load(isInfectious: false), AirActivity.seated.load(isInfectious: true)]
    let hour: Int64 = 3_600_000
    let stays = [
      AirStay(person: 1, space: 0, load: 1, start: 0, end: 4 * hour),
      AirStay(person: 0, space: 0, load: 0, start: hour, end: 2 * hour),
      AirStay(person: 0, space: 1, load: 0, start: 2 * hour, end: 4 * hour),
    ]
    let result = model.run(stays: stays, loads: loads, start: 0, end: 4 * hour, bin: hour)
    let people = PersonAir.list(result, stays: stays, infectious: [false, true, false])
    #expect(people[0].hours == 3 && people[1].hours == 4 && people[2].hours == 0 && people[2].meanCO2 == 0)
    #expect(people[0].quanta == result.doses[1].quanta && result.doses[2].quanta == 0)
    let mean = (result[0][1].co2 + result[1][2].co2 + result[1][3].co2) / 3
    #expect(abs(people[0].meanCO2 - mean) < 1e-9)
    let summary = AirSummary(result, people: people)
    #expect(
      summary.susceptible == 1 && summary.expectedInfections == people[0].risk && summary.meanRisk == people[0].risk)
    #expect(summary.peakCO2 == result.peakCO2.max())
    #expect(abs(summary.meanCO2 - (people[0].meanCO2 * 3 + people[1].meanCO2 * 4) / 7) < 1e-9)
  }

  @Test func masksActOnBothSides() {
    let bare = AirActivity.seated.load(isInfectious: true)
    let masked = AirActivity.seated.load(isInfectious: true, exhaled: 0.5, inhaled: 0.3)
    #expect(
      masked.quanta == bare.quanta / 2 && abs(masked.inhaled - bare.inhaled * 0.7) < 1e-12 && masked.co2 == bare.co2)
    #expect(AirActivity.seated.load(isInfectious: false).quanta == 0)
    #expect(abs(bare.co2 - 0.018) < 1e-15)
  }

  @Test func theJetDilutesWithTheDistance() {
    let jet = ExpiratoryJet(breathing: 0.52)
    #expect(abs(jet.dilution(at: 0) - 1) < 1e-12)
    var last = 0.0
    for step in 0...400 {
      let dilution = jet.dilution(at: Double(step) / 100)
      #expect(dilution > last)
      // No jump where the jet becomes a puff.
      if step > 0 { #expect(dilution / last < 1.5) }
      last = dilution
    }
    // By hand for 0.52 m³/h: the jet reaches 0.38 m, with a dilution of 7.9.
    #expect(abs(jet.dilution(at: 0.381) - 7.87) < 0.05)
    #expect(abs(jet.dilution(at: 1) - 134) < 4)
    let near = ExpiratoryJet.inhaledQuanta(source: 25, breathing: 0.52, inhaled: 0.52, distance: 1, facing: 0.25)
    #expect(abs(near - 25 / jet.dilution(at: 1) / 4) < 1e-12)
    #expect(ExpiratoryJet.inhaledQuanta(source: 25, breathing: 0, inhaled: 1, distance: 1, facing: 1) == 0)
  }

  @Test func exposureCountsTheOthersWithinTheDistance() {
    let exposure = CumulativeExposure([(0, 10), (5, 20), (8, 9), (30, 31), (40, 40)])
    #expect(exposure.secondsByOthers == [5 + 10 + 1, 4, 1])
    #expect(exposure.exposedSeconds == 21 && exposure.maximumOthers == 3)
    // The sum over the intervals.
    #expect(exposure.personSeconds == 10 + 15 + 1 + 1)
    #expect(CumulativeExposure([]).exposedSeconds == 0)
    // One that ends when another begins.
    #expect(CumulativeExposure([(0, 10), (10, 20)]).secondsByOthers == [20])
  }

  @Test func theFlowThroughADoorGrowsWithItsHeightAndTheTemperature() {
    let flow = DoorAirflow.exchange(width: 0.9, height: 2, temperatureDifference: 1, open: 1)
    #expect(abs(flow - 335.4) < 1)
    #expect(abs(DoorAirflow.exchange(width: 0.9, height: 2, temperatureDifference: 4, open: 0.5) - flow) < 1e-9)
    #expect(DoorAirflow.exchange(width: 0.9, height: 2, temperatureDifference: 0, open: 1) == 0)
  }
}
