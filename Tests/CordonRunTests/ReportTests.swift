import CordonContacts
import CordonCore
import CordonGeometry
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSupport

@Suite("The report page")
struct ReportTests {
  private func page(_ contents: RunContents) -> String {
    String(decoding: ReportPage(contents: contents.ordered()).bytes(), as: UTF8.self)
  }

  /// The JSON that the page's script reads.
  private func data(_ page: String) throws -> [String: Any] {
    let start = try #require(page.firstRange(of: "<script type=\"application/json\" id=\"data\">"))
    let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
    let bytes = Data(page[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  @Test func variationOverRepetitionsShowsTheMaximum() {
    var contents = SampleRun().contents
    #expect(!page(contents).contains("one repetition to the next"))
    let floor = contents.venue.floors[0].ordinal.thousandths
    func bin(_ minute: Int64, _ p95: Double, space: Int32) -> RunOutcome.EnsembleBin {
      RunOutcome.EnsembleBin(
        floor: floor, space: space, binStart: contents.parameters.start.milliseconds + minute * 60_000, mean: 41.5,
        p05: 31.5, p50: 40.5, p95: p95, peak: 77)
    }
    contents.outcome.ensemble = [
      bin(0, 50.5, space: ObservedLocation.noSpace), bin(1, 61.5, space: ObservedLocation.noSpace),
      bin(2, 9.5, space: 0),
    ]
    let page = page(contents)
    #expect(page.contains("one repetition to the next"))
    for figure in ["41.5", "31.5", "40.5", "61.5", "9.5", "77"] {
      #expect(page.contains(">\(figure)</td>"), "\(figure)")
    }
    #expect(!page.contains(">50.5</td>"), "only the fullest time of a place")
  }

  /// The clocks of Berlin go forward an hour on 29 March 2026 at 01:00 UTC.
  @Test func timesAreInTheZoneOfTheRun() throws {
    var contents = SampleRun().contents
    contents.parameters.start = Instant(milliseconds: 1_774_738_800_000)  // 2026-03-28T23:00Z
    contents.parameters.duration = .hours(4)
    contents.occupancy = []
    contents.venue.timeZone = "Europe/Berlin"
    let page = page(contents)
    #expect(page.contains("from 2026-03-29 00:00 Europe/Berlin"))
    let data = try data(page)
    #expect(data["zone"] as? String == "Europe/Berlin")
    #expect(
      data["offsets"] as? [[Int]] == [[1_774_738_800_000, 3_600_000], [1_774_746_000_000, 7_200_000]])
    for unknown in [nil, "UTC", "Mars/Olympus"] {
      contents.venue.timeZone = unknown
      let page = self.page(contents)
      #expect(page.contains("from 2026-03-28 23:00 UTC"))
      #expect(try self.data(page)["zone"] as? String == "UTC")
      #expect(try self.data(page)["offsets"] as? [[Int]] == [[1_774_738_800_000, 0]])
    }
  }

  @Test func namesCannotInjectCode() throws {
    let attack = "<script>alert(1)</script><img src=x onerror='x()'>\" onload=\"y() </script> {{data}} \u{202e}"
    var contents = SampleRun().contents
    contents.venue.name = attack
    for index in contents.venue.floors.indices { contents.venue.floors[index].name = attack }
    for index in contents.venue.spaces.indices {
      contents.venue.spaces[index].name = attack
      contents.venue.spaces[index].kind = attack
    }
    for index in contents.people.indices where contents.people[index].device != nil {
      contents.people[index].device = DeviceID("\(index)<b>'\"&")
    }
    contents.parameters.command.append(attack)
    contents.parameters.others.append(.init("other", .string(attack)))
    contents.summary.accounting.refused = ["<i>": contents.summary.accounting.refusedTotal]
    contents.inputs = [RunInput(role: attack, name: attack, sha256: attack)]
    contents.venue.timeZone = "<script>"
    let page = page(contents)
    let script = PageScript.text(PageScript.parts + PageScript.player + [PageScript.report])
    let ours = page.replacing(script, with: "")
    #expect(ours.components(separatedBy: "<script").count == 3)
    #expect(ours.components(separatedBy: "</script").count == 3)
    let body = ours.prefix(upTo: ours.firstRange(of: "<script")?.lowerBound ?? ours.endIndex)
    #expect(!ours.contains("<img"))
    #expect(!ours.contains("<b>'"))
    for sign in ["onerror='", "onload=\"", "\u{202e}"] { #expect(!body.contains(sign), "\(sign)") }
    #expect(ours.contains("&lt;script&gt;alert(1)"))
    let spaces = try #require(try data(page)["spaces"] as? [[String: Any]])
    let title = try #require(spaces[0]["title"] as? String)
    #expect(title.hasPrefix("<script>alert(1)</script>"))
    #expect(!title.unicodeScalars.contains("\u{202e}"))
  }

  @Test func thePageIsSelfContained() {
    let page = page(SampleRun().contents)
    // The name of the SVG language, which is not an address that anything is loaded from.
    let rest = page.replacing("http://www.w3.org/2000/svg", with: "")
    for sign in ["http:", "https:", "//cdn", "@import", "url(", "src=", "<link", "fetch(", "XMLHttpRequest"] {
      #expect(!rest.contains(sign), "\(sign)")
    }
    #expect(page.contains("default-src 'none'"))
    #expect(!page.contains("{{"))
  }

  @Test func theKeyFiguresAreTextWithoutScripts() {
    let contents = SampleRun(people: 30, minutes: 60).contents
    let page = page(contents)
    let body = page.prefix(upTo: page.firstRange(of: "<script")?.lowerBound ?? page.endIndex)
    for text in [
      "<h1>Brook Lane School</h1>", "<strong>30 people</strong>", "<strong>27 devices</strong>",
      "<p class=\"say\">",
      "Plan: First floor", "rejected: outside", "--seed", "&#39;brook lane.zip&#39;", "</noscript>",
    ] {
      #expect(body.contains(text), "\(text)")
    }
  }

  @Test func theShareOfTimeWithAWallIsReported() {
    var contents = SampleRun(people: 30, minutes: 30).contents
    for row in contents.contacts.indices { contents.contacts[row].wallShare = nil }
    let unknown = page(contents)
    #expect(!unknown.contains("A wall was between the two"))
    for row in contents.contacts.indices where contents.contacts[row].source == .truth {
      contents.contacts[row].wallShare = 0.25
    }
    let known = page(contents)
    let says = known.contains("A wall was between the two for \(Quantity.percent(0.25)) of the true time:")
    #expect(says)
  }

  @Test func devicesAreNotCalledPeopleWhereTheTruthIsUnknown() {
    var contents = SampleRun().contents
    contents.truth = []
    contents.contacts.removeAll { $0.source == .truth }
    contents.occupancy.removeAll { $0.source == .truth }
    contents.summary.agreement = nil
    let page = page(contents)
    #expect(page.contains("<strong>11 devices</strong> ·"))
    #expect(page.contains("devices in a space") || page.contains("devices in the space"))
    #expect(!page.contains("people inside</"))
    #expect(page.contains("nobody can say how many warnings would be right"))
  }

  @Test func aLargeRunStaysSmall() throws {
    // 300 people for two hours: the promised size of the page for this run is below two megabytes.
    let contents = SampleRun(people: 300, minutes: 120, fixInterval: 600_000).contents
    let page = page(contents)
    #expect(page.utf8.count < 2_000_000)
    let tracks = try #require((try data(page)["player"] as? [String: Any])?["tracks"] as? [String: Any])
    #expect(tracks["tolerance"] as? Double == 0.1 && tracks["share"] as? Int == 1)
  }

  @Test(arguments: [0.0, 0.01, 0.3, 1, 7.2, 60, 999, 1e6, .infinity, .nan])
  func heatClassesAscendToTheLargest(maximum: Double) {
    let scale = HeatScale(maximum: maximum)
    #expect((1...6).contains(scale.limits.count))
    #expect(zip(scale.limits, scale.limits.dropFirst()).allSatisfy { $0 < $1 })
    #expect(scale.level(of: 0) == 0)
    #expect(scale.level(of: .leastNonzeroMagnitude) == 1)
    if maximum > 0, maximum.isFinite {
      #expect(scale.limits.last ?? 0 >= maximum)
      #expect(scale.level(of: maximum) == scale.limits.count)
    }
  }

  @Test func wideBinsAreMeansOfNarrowOnes() {
    var contents = SampleRun(people: 1).contents
    contents.parameters.duration = .hours(60)  // 720 bins of five minutes become 240 of fifteen
    contents.occupancy = (0..<720).map { bin in
      RunOccupancy(
        source: .truth, floor: 0, space: 3, binStart: contents.parameters.start.milliseconds + bin * 300_000,
        mean: Double(bin % 3), peak: Int32(bin % 3 * 2))
    }
    let occupancy = ReportOccupancy(contents: contents)
    #expect(occupancy.binCount == 240)
    #expect(occupancy.records[.truth]?.means[3]?.allSatisfy { abs($0 - 1) < 1e-12 } == true)
    #expect(occupancy.records[.truth]?.peaks[3] == 4)
  }

  @Test func floorsOfOneOrdinalAreOneStorey() {
    var venue = SampleRun().venue
    venue.floors[2].ordinal = FloorOrdinal(0)
    let storeys = ReportStoreys(venue: venue)
    #expect(storeys.list.map(\.name) == ["Ground floor, Second floor", "First floor"])
    #expect(storeys.ofFloor == [0, 1, 0])
  }

  @Test func everySpaceHasItsOwnTitle() {
    var venue = SampleRun().venue
    for index in venue.spaces.indices { venue.spaces[index].name = "" }
    venue.floors[0].name = "-1"
    let titles = ReportStoreys(venue: venue).titles
    #expect(Set(titles).count == venue.spaces.count)
    #expect(titles[0] == "Corridor, Floor -1")
    #expect(titles[1] == "Classroom, Floor -1 (1)" && titles[2] == "Classroom, Floor -1 (2)")
  }

  @Test func namesOnPlansLieInTheirSpacesAndCoverNoOther() {
    var venue = SampleRun().venue
    venue.floors = [venue.floors[0]]
    func space(_ name: String, _ corners: [(Double, Double)]) -> RunSpace {
      RunSpace(
        id: SpaceID(name), floor: 0, kind: "platform", name: name,
        rings: [corners.map { PlanePoint(x: $0.0, y: $0.1) } + [PlanePoint(x: corners[0].0, y: corners[0].1)]])
    }
    // Platforms that rise from left to right: their bounding boxes are wide, and the platforms are not.
    venue.spaces = (0..<4).map { number in
      let y = Double(number) * 5
      return space("Track \(number)", [(-28, y - 30), (28, y + 20), (28, y + 22), (-28, y - 28)])
    }
    venue.spaces += [
      space("Hall", [(-60, -30), (-30, -30), (-30, 0), (-60, 0)]),
      space("Kiosk", [(-48, -18), (-42, -18), (-42, -12), (-48, -12)]),
    ]
    let plan = PlanPart(venue: venue, storeys: ReportStoreys(venue: venue)) { _ in PlanPart.Figure() }
    let labels = plan.html.components(separatedBy: "<text class=\"label\"").dropFirst().compactMap { text in
      text.components(separatedBy: ">").dropFirst().first?.replacing("</text", with: "")
    }
    #expect(labels == ["Hall"])
  }

  @Test func equalNamesGetNumbers() {
    #expect(DistinctNames.numbered(["Stairs", "Lobby", "Stairs"]) == ["Stairs (1)", "Lobby", "Stairs (2)"])
    var venue = SampleRun().venue
    venue.spaces[1].name = "Ward"
    venue.spaces[2].name = "Ward"
    var queue = RunOutcome.Queue(
      kind: "desk", place: "w", served: 1, meanLength: 0, longest: 1, meanWait: 1, p95Wait: 1)
    queue.name = "Ward: triage"
    queue.space = 2
    let titles = venue.distinctTitles
    #expect(titles[2] == "Ward, Ground floor (2)")
    #expect(queue.title(in: venue, titles: titles) == "Ward, Ground floor (2): triage")
    queue.space = ObservedLocation.noSpace
    queue.name = ""
    #expect(queue.title(in: venue, titles: titles) == "w")
  }

  @Test func unprintableCharactersAreRemovedFromNames() {
    #expect(HTMLText.readable("Office\u{e0b1} 208 \u{202e}x\u{f8ff}") == "Office 208 x")
    #expect(HTMLText.escaped("a\u{0}b\u{e000}<") == "a b&lt;")
  }

  @Test func areasExcludeHoles() {
    func square(_ side: Double) -> [PlanePoint] {
      [(-side, -side), (side, -side), (side, side), (-side, side)].map { PlanePoint(x: $0.0 / 2, y: $0.1 / 2) }
    }
    var space = RunSpace(id: SpaceID("x"), floor: 0, kind: "room", name: "", rings: [square(10), square(4), square(2)])
    #expect(space.area == 100 - 16 + 4)
    #expect(space.contains(PlanePoint(x: 4, y: 0)) && !space.contains(PlanePoint(x: 1.5, y: 0)))
    space.rings = []
    #expect(space.area == 0)
  }

  @Test(arguments: ["", "[", "]", "[[[1,2]]", "[[1,2]]", "[[[1]]]", "[[[1,2,3]]]", "[[[1,a]]]", "[[[[1,2]]]]"])
  func invalidLinesAreRefused(json: String) {
    #expect(json.isEmpty || PlaneLines.lines(json) == nil)
  }

  @Test(arguments: [
    ("plain", "plain"), ("two words", "'two words'"), ("it's", "'it'\\''s'"), ("", "''"), ("$(x)", "'$(x)'"),
    ("a/b-c.zip", "a/b-c.zip"),
  ])
  func commandsAreQuotedForAShell(word: String, quoted: String) {
    #expect(ReportRepeat.quoted(word) == quoted)
  }
}
