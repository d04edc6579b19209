import CordonCore
import CordonMonitoring
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSimulator

@Suite("The number of people")
struct HeadCountTests {
  /// Forty people come between 08:00 and 09:30; the run ends at 08:45.
  private static func contents() throws -> RunContents {
    let text = ScenarioReadingTests.small.replacing("duration: 9h", with: "duration: 45m")
      .replacing("[work, lunch]", with: "[work]").split(separator: "\n").filter { !$0.contains("name: lunch") }
      .joined(separator: "\n")
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    return try VenueSimulation(venue: venue, scenario: try Scenario(parsing: text)).run(store: .memory(MemoryStore()))
  }

  @Test func peopleWhoNeverComeAreNotCounted() throws {
    let contents = try HeadCountTests.contents()
    let came = Set(contents.truth.map(\.device))
    #expect(came.count > 5 && came.count < 35, "\(came.count)")
    #expect(contents.summary.people == came.count)
    #expect(contents.summary.planned == 40)
    #expect(contents.people.indices.filter { contents.people[$0].cameIn } == came.map(Int.init).sorted())
    #expect(contents.people.allSatisfy { $0.cameIn || $0.device == nil })
    for source in [RunSource.truth, .observed] {
      let degrees = contents.outcome.distributions.filter { $0.what == "degree" && $0.source == source }
      #expect(degrees.reduce(0) { $0 + $1.count } == came.count)
    }
  }

  @Test func aRunFolderListsThePeopleWhoCame() throws {
    let contents = try HeadCountTests.contents()
    let scratch = try TemporaryFolder()
    let folder = try RunFolder.prepare(at: scratch.url.appendingPathComponent("run").path, replacing: false)
    _ = try folder.write(contents) { RunTimings() }
    let reader = try RunReader(path: scratch.url.appendingPathComponent("run").path)
    let people = try reader.people()
    #expect(people.count { $0.cameIn } == contents.summary.people)
    for (number, person) in people.enumerated() where person.cameIn { #expect(person == contents.people[number]) }
    #expect(try reader.summary().planned == 40)
    #expect(try reader.summary().people == contents.summary.people)
  }
}
