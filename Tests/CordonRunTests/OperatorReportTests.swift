import CordonContacts
import CordonCore
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSupport

@Suite("The report page for operators")
struct OperatorReportTests {
  private func page(_ contents: RunContents) -> String {
    String(decoding: ReportPage(contents: contents.ordered()).bytes(), as: UTF8.self)
  }

  /// The part of a page before its scripts.
  private func body(_ contents: RunContents) -> String {
    let page = page(contents)
    return String(page.prefix(upTo: page.firstRange(of: "<script")?.lowerBound ?? page.endIndex))
  }

  private func data(_ contents: RunContents) throws -> [String: Any] {
    let page = page(contents)
    let start = try #require(page.firstRange(of: "<script type=\"application/json\" id=\"data\">"))
    let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8)) as? [String: Any])
  }

  /// The cells of the row of a table whose heading is `name`.
  private func row(_ name: String, in body: String) throws -> [String] {
    let start = try #require(body.firstRange(of: "class=\"name\">\(name)</th>"), "\(name)")
    let end = try #require(body[start.upperBound...].firstRange(of: "</tr>"))
    return body[start.upperBound..<end.lowerBound].components(separatedBy: "</td>").dropLast().map { cell in
      cell.split(separator: ">", omittingEmptySubsequences: false).dropFirst().joined(separator: ">")
    }
  }

  @Test func theTitleIsTheScenariosName() {
    var contents = SampleRun().contents
    contents.parameters.others.append(.init("title", .string("Monday <b>")))
    let body = body(contents)
    #expect(body.contains("<title>Monday &lt;b&gt; · Cordon run report</title>"))
    #expect(body.contains("<h1>Monday &lt;b&gt;</h1>") && body.contains("<p class=\"venue\">Brook Lane School</p>"))
    #expect(!self.body(SampleRun().contents).contains("class=\"venue\""))
  }

  @Test func assumptionsAreSentencesAtTheTop() throws {
    var contents = SampleRun().contents
    #expect(!body(contents).contains("id=\"assumptions\""))
    contents.notes = ["the map has no walls & doors"]
    contents.connectivity = RunConnectivity(
      sentence: "3 spaces in 2 parts", warnings: ["no entrance leads to <Annex>"],
      assumptions: (1...9).map { "a door of room \($0) is assumed" }, unreachableShare: 0.1, unreachable: ["Annex"])
    contents.parameters.others += [
      .init("notes", .array(["the map has no walls & doors"])),
      .init("connectivity", contents.connectivity?.json ?? .null),
    ]
    let body = body(contents)
    let start = try #require(body.firstRange(of: "id=\"assumptions\"")).lowerBound
    #expect(start < (try #require(body.firstRange(of: "id=\"answer\"")).lowerBound))
    for text in [
      "The map: 3 spaces in 2 parts.", "<li>No entrance leads to &lt;Annex&gt;.</li>",
      "<li>The map has no walls &amp; doors.</li>",
      "<li>A door of room 9 is assumed.</li>", "<summary>3 more</summary>",
    ] {
      #expect(body.contains(text), "\(text)")
    }
    #expect(!body.contains("unreachable_share"), "no JSON among the parameters")
  }

  /// A room, a group and a room that nobody entered.
  private var places: RunContents {
    var contents = SampleRun().contents
    contents.venue.groups = [RunGroup(name: "Labs & more", spaces: [1, 2])]
    contents.occupancy = [
      RunOccupancy(
        source: .truth, floor: 0, space: 1, binStart: contents.parameters.start.milliseconds, mean: 2, peak: 5)
    ]
    var place = RunOutcome.Place(
      source: .truth, floor: 0, space: 1, mean: 1.25, p95: 3, peak: 5, peakTime: 0, capacity: 4,
      minutesOverCapacity: 2, minutesOverCapacityStaying: 1, areaPerPerson: 25.5, visits: 7, meanVisit: 90)
    contents.outcome.places = [place]
    place.capacity = nil
    place.minutesOverCapacity = nil
    place.minutesOverCapacityStaying = nil
    contents.outcome.groups = [.init(number: 0, presence: place)]
    contents.outcome.groupBins = [
      .init(source: .truth, group: 0, binStart: contents.parameters.start.milliseconds, mean: 2, peak: 90)
    ]
    return contents
  }

  @Test func everyRoomAndGroupIsInOneTable() throws {
    var contents = places
    let name = ReportStoreys(venue: contents.venue).titles[1]
    #expect(
      try row(name, in: body(contents)) == [
        contents.venue.spaces[1].kind, "Labs &amp; more", "128", "4", "1.3", "3", "5", "2", "1, 1", "7",
        "1 min 30 s",
        "25.5\u{a0}(A)",
      ])
    let table = try #require(body(contents).components(separatedBy: "id=\"places\"").last)
    let group = try row("Labs &amp; more", in: table)
    #expect(group[0] == "group of 2 spaces" && group[3] == "-" && group[6] == "5")
    let empty = try row(ReportStoreys(venue: contents.venue).titles[9], in: body(contents))
    #expect(empty.suffix(9) == ["-", "0", "0", "0", "-", "-", "0", "-", "-"])
    #expect(body(contents).contains("26 spaces were never entered"))
    contents.outcome.replicaFigures = [
      .init(subject: .space(1), name: .mean, replicas: 20, mean: 1.5, low: 1.2, high: 1.8, p05: 0, p95: 3)
    ]
    #expect(try row(name, in: body(contents))[4] == "1.5<small>1.2 to 1.8</small>")
    #expect(body(contents).contains("means over 20 repetitions"))
  }

  @Test func columnsWithoutAValueAreLeftOut() throws {
    let whole = try #require(body(places).components(separatedBy: "id=\"places\"").last)
    #expect(whole.contains(">limit</th>") && whole.contains(">group</th>"))
    var contents = places
    contents.venue.groups = []
    contents.outcome.groups = []
    contents.outcome.groupBins = []
    for index in contents.outcome.places.indices {
      contents.outcome.places[index].capacity = nil
      contents.outcome.places[index].minutesOverCapacity = nil
      contents.outcome.places[index].minutesOverCapacityStaying = nil
    }
    let table = try #require(body(contents).components(separatedBy: "id=\"places\"").last)
    for name in ["limit", "group", "minutes above limit", "staying, passing"] {
      #expect(!table.contains(">\(name)</th>") && !table.contains("data-l=\"\(name)\""), "\(name)")
    }
    let name = ReportStoreys(venue: contents.venue).titles[1]
    #expect(
      try row(name, in: table) == [
        contents.venue.spaces[1].kind, "128", "1.3", "3", "5", "7", "1 min 30 s", "25.5\u{a0}(A)",
      ])
  }

  @Test func chartsEndAtTheStatedMaximum() throws {
    var contents = SampleRun(people: 1).contents
    contents.parameters.duration = .hours(60)
    // Three bins of five minutes are one of the page; the peak lies within.
    contents.occupancy = (0..<6).map { bin in
      RunOccupancy(
        source: .truth, floor: 0, space: 3, binStart: contents.parameters.start.milliseconds + bin * 300_000, mean: 1,
        peak: bin == 4 ? 39 : 2)
    }
    let record = try #require((try data(contents)["occupancy"] as? [String: Any])?["truth"] as? [String: Any])
    let maxima = try #require((record["maxima"] as? [String: [Int]])?["3"])
    #expect(maxima.prefix(3) == [2, 39, 0] && maxima.max() == 39)
    let script = String(decoding: PageScript.report, as: UTF8.self)
    #expect(script.contains("const top = Math.max(...sources.map((source) => peakOf(source, space)), 1);"))
  }

  @Test func levelsOfServiceOfGroupsAreShownOverTime() throws {
    let contents = places
    let body = body(contents)
    // 255 m² for 90 people at the fullest moment are 2.8 m² each.
    #expect(
      body.contains(
        "aria-label=\"Labs &amp; more: at worst level A\"><rect x=\"0\" y=\"0\" width=\"1\" height=\"10\" class=\"h1\"/>"
      ))
    var full = contents
    full.outcome.groupBins[0].peak = 300
    #expect(
      self.body(full).contains("at worst level C\"><rect x=\"0\" y=\"0\" width=\"1\" height=\"10\" class=\"h3\"/>"))
    #expect(!self.body(SampleRun().contents).contains("level of service over time"))
    let data = try data(contents)
    let group = contents.venue.spaces.count
    #expect((data["top"] as? [Int])?.first == group)
    #expect((data["spaces"] as? [[String: Any]])?[group]["title"] as? String == "Labs & more")
  }

  private func contact(_ first: Int32, _ second: Int32, minute: Int64, minutes: Int64, space: Int32) -> RunContact {
    let start = 1_767_600_000_000_000 + minute * 60_000_000
    return RunContact(
      source: .truth,
      contact: Contact(
        first: first, second: second, floor: 0, start: start, end: start + minutes * 60_000_000, minimumDistance: 1,
        minimumDistanceTime: start, x: 0, y: 0), firstSpace: space, secondSpace: space)
  }

  @Test func populationsAndPlacesOfLongContactsAreCounted() throws {
    var contents = SampleRun(people: 4).contents
    for (person, population) in ["clinic", "patients", "patients", "patients"].enumerated() {
      contents.people[person].population = population
    }
    contents.contacts = [
      contact(0, 1, minute: 0, minutes: 9, space: 1), contact(0, 1, minute: 20, minutes: 9, space: 1),
      contact(1, 2, minute: 0, minutes: 20, space: 2), contact(1, 3, minute: 0, minutes: 16, space: 2),
      contact(2, 3, minute: 0, minutes: 4, space: 2),
    ]
    let body = body(contents)
    let clinic = try row("clinic (1)", in: body)
    #expect(clinic == ["<b>0 pairs</b><small>0 s</small>", "<b>1 pair</b><small>18 min</small>"])
    let patients = try row("patients (3)", in: body)
    #expect(patients == ["<b>1 pair</b><small>18 min</small>", "<b>2 pairs</b><small>40 min</small>"])
    // Only single contacts of fifteen minutes count for a place.
    let titles = ReportStoreys(venue: contents.venue).titles
    let start = try #require(body.firstRange(of: "id=\"long-contacts\"")).lowerBound
    let section = String(body[start...])
    #expect(try row(titles[2], in: section).prefix(3) == ["2", "36 min", "100 %"])
    #expect(!section.prefix(1_000).contains(titles[1]))
    for person in contents.people.indices { contents.people[person].population = "all" }
    #expect(!self.body(contents).contains("id=\"mixing\""))
  }

  @Test func queuesAndDoorsHaveNamesAndDirections() throws {
    var contents = SampleRun().contents
    var queue = RunOutcome.Queue(
      kind: "desk", place: "818e31a0", served: 1_800, meanLength: 2.5, longest: 12, meanWait: 143, p95Wait: 300)
    queue.name = "Main <Reception>"
    contents.outcome.queues = [queue]
    contents.venue.openings = [
      RunOpening(
        id: "assumed:fe5f", name: "Entrance 0 (Hall)", ordinal: FloorOrdinal(0), left: ObservedLocation.noSpace,
        right: 1,
        entrance: 0)
    ]
    contents.outcome.flows = [
      RunOutcome.Flow(opening: "assumed:fe5f", floor: 0, binStart: 0, forward: 30, backward: 4),
      RunOutcome.Flow(opening: "assumed:fe5f", floor: 0, binStart: 900_000, forward: 1, backward: 2),
    ]
    let body = body(contents)
    #expect(
      try row("Main &lt;Reception&gt;", in: body) == [
        "desk", "1\u{202f}800", "2 min 23 s", "5 min", "2.5", "12",
      ])
    #expect(
      try row("Entrance 0 (Hall)", in: body) == [
        "31 to \(contents.venue.spaces[1].name)", "6 to outside", "34",
      ])
    #expect(!body.contains("818e31a0") && !body.contains("assumed:fe5f"))
  }

  @Test func everyPlanCanBeReadWithTheKeyboard() throws {
    let contents = SampleRun().contents
    let body = body(contents)
    #expect(body.components(separatedBy: "tabindex=\"0\"").count - 1 == contents.venue.floors.count)
    #expect(
      body.components(separatedBy: "tabindex=\"-1\"").count - 1 == contents.venue.spaces.count
        - contents.venue.floors.count)
    let title = ReportStoreys(venue: contents.venue).titles[0]
    #expect(body.contains("aria-label=\"\(title): "))
    let script = PageScript.text(PageScript.parts + PageScript.player)
    for key in ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] { #expect(script.contains(key)) }
    #expect(script.contains("prefers-reduced-motion: reduce"))
  }
}
