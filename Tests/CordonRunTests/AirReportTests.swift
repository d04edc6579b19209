import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonRun

/// The tables of the air in a run folder, and its section of the report.
@Suite("Air of a run folder")
struct AirReportTests {
  private func contents(withAir: Bool) -> RunContents {
    var contents = SampleRun(people: 4, minutes: 2).contents
    guard withAir else { return contents }
    let start = contents.parameters.start.milliseconds
    let spaces = contents.venue.spaces.indices.map { number in
      RunAir.Space(
        volume: 100, airChanges: 3, filtration: 0, meanCO2: number < 2 ? 600 + 100 * Double(number) : nil,
        peakCO2: number < 2 ? 700 + 100 * Double(number) : 420, meanQuanta: number == 1 ? 0.002 : 0,
        peakQuanta: number == 1 ? 0.003 : 0)
    }
    contents.air = RunAir(
      bin: .minutes(1), outdoorCO2: 420, shortRange: 2, spaces: spaces,
      bins: [
        .init(
          space: 1, start: start, people: 2, infectious: 1, co2: 650.125, co2AtEnd: 700, quanta: 0.002,
          quantaAtEnd: 0.003)
      ],
      people: contents.people.indices.map { number in
        .init(
          health: number == 0 ? .infectious : .susceptible, wearsMask: number == 1, seconds: number == 3 ? 0 : 60,
          meanCO2: number == 3 ? nil : 650, quanta: 0.01, nearbyQuanta: 0, longRangeRisk: number == 0 ? 0 : 0.00995,
          shortRangeRisk: 0, risk: number == 0 ? 0 : 0.00995, exposedSeconds: 30, exposedPersonSeconds: 45,
          maximumOthers: 2)
      })
    contents.outcome.figures += [
      .init("air_expected_infections", 0.0199), .init("air_expected_infections_long_range", 0.0199),
      .init("air_mean_risk_percent", 0.995),
    ]
    return contents
  }

  private func written(_ contents: RunContents) throws -> (TemporaryFolder, String) {
    let scratch = try TemporaryFolder()
    let path = scratch.path("run")
    try RunFolder.prepare(at: path, replacing: false).write(contents)
    return (scratch, path)
  }

  @Test func theTablesHoldTheAir() throws {
    let (scratch, path) = try written(contents(withAir: true))
    defer { withExtendedLifetime(scratch) {} }
    let air = try String(contentsOfFile: path + "/air.csv", encoding: .utf8).split(separator: "\n")
    #expect(air.count == 2 && air[0].hasPrefix("space,space_name,floor,") && air[0].hasSuffix(",quanta_at_end_per_m3"))
    #expect(air[1].hasPrefix("f0-r0,") && air[1].hasSuffix(",2,1,650.13,700,0.002,0.003"), "\(air[1])")
    let spaces = try String(contentsOfFile: path + "/air-spaces.csv", encoding: .utf8).split(separator: "\n")
    #expect(spaces.count == 3 && spaces[2].hasSuffix(",100,3,0,700,800,0.002,0.003"), "\(spaces[2])")
    let people = try String(contentsOfFile: path + "/air-people.csv", encoding: .utf8).split(separator: "\n")
    #expect(people.count == 4 && people[1].contains(",infectious,0,60,650,0.01,0,0,0,0,30,45,2"), "\(people[1])")
    let manifest = try String(contentsOfFile: path + "/manifest.json", encoding: .utf8)
    #expect(["air.csv", "air-spaces.csv", "air-people.csv"].allSatisfy { manifest.contains("\"\($0)\"") })
    #expect(RunFolder.outputs(at: path).contains { $0.role == "air" })
  }

  @Test func theReportHasPlansWithTheirTable() throws {
    let page = String(decoding: ReportPage(contents: contents(withAir: true)).bytes(), as: UTF8.self)
    let section = try #require(page.range(of: "<section id=\"air\""))
    let text = page[section.lowerBound...]
    #expect(text.contains("The highest carbon dioxide was 800 ppm"))
    #expect(text.contains("With 1 infectious person, 0.02 infections"))
    // Two maps of three floors, each with a text for readers who do not see it.
    #expect(text.components(separatedBy: "The table below has the figures.").count == 1 + 6)
    #expect(text.contains("id=\"air-spaces\"") && text.contains(": 700 ppm on average"))
    #expect(text.contains("2 who can be infected"))
  }

  @Test func thePlayerShowsTheAirOverTime() throws {
    var contents = contents(withAir: true)
    let start = contents.parameters.start
    let later = RunAir.Bin(
      space: 1, start: (start + .minutes(1)).milliseconds, people: 2, infectious: 1, co2: 900, co2AtEnd: 950,
      quanta: 0.004, quantaAtEnd: 0.005)
    contents.air?.bins.append(later)
    let air = try #require(contents.air)
    let layers = air.layers(from: start, to: start + .minutes(4))
    #expect(layers.map(\.id) == ["co2", "quanta"] && layers.allSatisfy { $0.start == start && $0.step == .minutes(1) })
    #expect(layers[0].values == [1: [650.125, 900, 420, 420]] && layers[1].values == [1: [2, 4, 0, 0]])
    #expect(layers[0].limits == [500, 600, 800, 1_000, 1_400, 2_000])
    // Too many values for a page: bins are joined.
    let joined = air.layers(from: start, to: start + .minutes(3), limit: 2)
    #expect(joined[0].step == .minutes(2) && joined[0].values == [1: [775.0625, 420]])
    let page = String(decoding: ReportPage(contents: contents).bytes(), as: UTF8.self)
    #expect(page.contains("\"id\":\"co2\"") && page.contains("\"id\":\"quanta\""))
  }

  @Test func runsWithoutAirHaveNeither() throws {
    let (scratch, path) = try written(contents(withAir: false))
    defer { withExtendedLifetime(scratch) {} }
    #expect(!FileManager.default.fileExists(atPath: path + "/air.csv"))
    let page = try String(contentsOfFile: path + "/report.html", encoding: .utf8)
    #expect(!page.contains("id=\"air\"") && !page.contains("{{air}}"))
  }
}
