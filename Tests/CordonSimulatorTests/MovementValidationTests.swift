import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSimulator
import CordonTestSupport
import Foundation
import Testing

/// The RiMEA tests with their criteria, on fewer people where a debug build would take long.
@Suite("Validation of movement")
struct MovementValidationTests {
  static let csm = MovementValidation(
    settings: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())), seeds: [1, 2], scale: 0.12)
  static let avm = MovementValidation(
    settings: CrowdSettings(model: .anticipationVelocity(AnticipationVelocity())), seeds: [1], scale: 0.12)

  private func expectPass(_ cases: [MovementCase]) {
    #expect(!cases.isEmpty)
    for item in cases {
      #expect(item.isPassed, "\(item.id): \(item.value) \(item.unit) not in \(item.band)")
      #expect(MovementValidation.caseIDs.contains(item.id), "\(item.id) is not listed")
    }
  }

  @Test(arguments: [csm, avm]) func rimea1(_ model: MovementValidation) { expectPass(model.corridor()) }
  @Test(arguments: [csm, avm]) func rimea2And3(_ model: MovementValidation) { expectPass(model.stairs()) }
  @Test func rimea4() { expectPass(Self.csm.densities()) }
  @Test func rimea5() { expectPass(Self.csm.startTimes()) }
  @Test(arguments: [csm, avm]) func rimea6(_ model: MovementValidation) { expectPass(model.leftCorner()) }
  @Test func rimea7() { expectPass(Self.csm.ages()) }
  @Test func rimea9() { expectPass(Self.csm.exits()) }
  @Test(arguments: [csm, avm]) func rimea10(_ model: MovementValidation) { expectPass(model.assignedExits()) }
  @Test func rimea11() throws {
    let cases = Self.csm.exitChoice()
    expectPass(cases)
    // A person who does not walk uses no exit.
    let still = Self.standing.exitChoice()
    #expect(still.allSatisfy { !$0.isPassed })
    #expect(try #require(still.last).value == 60)
  }
  @Test func rimea12() { expectPass(Self.csm.bottlenecks()) }
  @Test func rimea13() { expectPass(Self.csm.stairFoot()) }
  @Test func rimea14() throws {
    expectPass(Self.csm.routes())
    let still = Self.standing.routes()
    #expect(still.allSatisfy { !$0.isPassed })
    #expect(try #require(still.first).value.isNaN)
  }

  /// The time ends before the first step.
  private static var standing: MovementValidation {
    var standing = csm
    standing.isInterrupted = { true }
    return standing
  }

  /// The identifiers of the cases are listed, and the documentation contains each of them.
  @Test func caseIDsAreListedAndDocumented() throws {
    let asked = ["rimea-1", "rimea-2", "rimea-6", "rimea-14", "free-speed"]
    let ids = Self.csm.run(only: asked).map(\.id)
    #expect(ids.count == 9 && ids == MovementValidation.caseIDs.filter(ids.contains))
    #expect(Set(MovementValidation.caseIDs).count == MovementValidation.caseIDs.count)
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    for id in MovementValidation.caseIDs + MovementValidation.studyNames {
      #expect(text.contains("`\(id)`"), "\(id) is not in docs/records/validation.md")
    }
  }

  /// The documented figures of phones equal the computed ones.
  @Test func documentedPhoneFiguresAreCurrent() throws {
    let text = try String(contentsOf: Self.documentation, encoding: .utf8)
    for item in PhoneValidation.cases() {
      let row = "| `\(item.subject)` | \(item.figure) | \((item.value * 100).rounded() / 100) |"
      #expect(text.contains(row), "\(row)")
    }
  }

  private static let documentation = Places.file("docs/records/validation.md")

  @Test func anInterruptionKeepsFinishedCases() {
    let counting = Interrupter { _ in false }
    var validation = Self.csm
    validation.isInterrupted = { counting.ask() }
    let only = ["rimea-1", "rimea-2", "rimea-6"]
    let whole = validation.run(only: only)
    #expect(whole.map(\.id) == ["rimea-1", "rimea-2", "rimea-3", "rimea-6", "rimea-6-clean"])
    let asked = counting.asked
    let interrupter = Interrupter { $0 > asked - 20 }
    validation.isInterrupted = { interrupter.ask() }
    #expect(validation.run(only: only) == Array(whole.prefix(3)))
    #expect(validation.studies().isEmpty)
  }

  /// Half a second of a door case would count as a jam.
  @Test func interruptedDoorCasesAreLeftOut() {
    let reported = Shares()
    var validation = Self.csm
    let interrupter = Interrupter { $0 > 400 }
    validation.isInterrupted = { interrupter.ask() }
    #expect(validation.run(only: ["door"]) { done, _ in reported.add(done) }.isEmpty)
    #expect(
      reported.all == reported.all.sorted() && reported.all.count > 1 && reported.all.allSatisfy { $0 < 1 },
      "\(reported.all)")
  }
  /// Studies have no band, but a large crowd passes a corner without crossing a wall, and later than on a straight way.
  @Test func rimea15() throws {
    let study = try #require(Self.csm.largeCorner())
    #expect(study.series.count == 2)
    for series in study.series { #expect(series.points.last?.y == 24, "\(series)") }
    #expect(study.remarks.contains { $0.hasSuffix("corridors: 0.") }, "\(study.remarks)")
  }

  /// Slower people leave a building later.
  @Test(.long) func rimea8() throws {
    let study = try #require(Self.csm.storeys())
    let times = study.series[0].points.map(\.y)
    #expect(times.allSatisfy(\.isFinite) && times[0] > times[times.count - 1], "\(times)")
  }

  @Test(arguments: [csm, avm]) func lateral(_ model: MovementValidation) {
    expectPass(model.lateral())
    // People who walk straight to the next waypoint do not pass.
    var straight = model
    straight.seeds = [1]
    straight.settings.lanes = nil
    #expect(straight.lateral().contains { !$0.isPassed })
  }

  @Test func freeSpeeds() { expectPass(Self.csm.freeSpeeds()) }

  @Test(arguments: [0.8, 1.2])
  func twoWayDoorsDoNotJam(width: Double) {
    let flow = DoorFlow.twoWay(width: width, people: 25, settings: Self.csm.settings, step: 0.1, seed: 5)
    #expect(!flow.isJammed, "\(flow)")
    #expect(flow.figures.overlaps == 0 && flow.figures.wallCrossings == 0)
  }

  /// Cases can fail: people with half the speed do.
  @Test func casesCanFail() {
    #expect(!MovementCase("x", "", value: 1, band: 2...3).isPassed)
    #expect(!MovementCase("x", "", value: .nan, band: 0...3).isPassed)
    var settings = CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed()))
    settings.timeGap = 2
    let slow = MovementValidation(settings: settings, seeds: [1], scale: 0.1)
    #expect(slow.densities().contains { !$0.isPassed })
  }

  @Test func companionsStaySideBySide() {
    let walls = PlanePolygon(
      outer: [(0, 0), (45, 0), (45, 4), (0, 4)].map { PlanePoint(x: $0.0, y: $0.1) }
    ).edges
    func spread(joined: Bool) -> (apart: Double, behind: Double) {
      let crowd = PedestrianCrowd(
        walls: walls, people: 2, settings: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())), seed: 1)
      let way = crowd.add(way: [.point(PlanePoint(x: 44, y: 2), radius: 1)])
      crowd.place(0, at: PlanePoint(x: 1, y: 1.7), freeSpeed: 1.5)
      crowd.place(1, at: PlanePoint(x: 1, y: 2.3), freeSpeed: 1.1)
      if joined { crowd.join(0, 1) }
      crowd.send(0, along: way)
      crowd.send(1, along: way)
      var (apart, behind) = (0.0, 0.0)
      for _ in 0..<250 {
        crowd.step(seconds: 0.1)
        let (a, b) = (crowd.position(of: 0), crowd.position(of: 1))
        apart = max(apart, PlaneSegment(a, b).length)
        behind = max(behind, abs(a.x - b.x))
      }
      return (apart, behind)
    }
    #expect(spread(joined: false).behind > 5)
    let pair = spread(joined: true)
    #expect(pair.behind < 0.9 && pair.apart < 1.2, "\(pair)")
  }

  @Test(arguments: [3, 4, 5])
  func aLargerPartyStaysTogether(size: Int) {
    let walls = PlanePolygon(
      outer: [(0, 0), (45, 0), (45, 4), (0, 4)].map { PlanePoint(x: $0.0, y: $0.1) }
    ).edges
    let crowd = PedestrianCrowd(
      walls: walls, people: size, settings: CrowdSettings(model: .collisionFreeSpeed(CollisionFreeSpeed())), seed: 1)
    let way = crowd.add(way: [.point(PlanePoint(x: 44, y: 2), radius: 1)])
    for person in 0..<size {
      // The last row is the slowest.
      crowd.place(
        person, at: PlanePoint(x: 3 - 0.8 * Double(person / 2), y: person % 2 == 0 ? 1.7 : 2.3),
        freeSpeed: person / 2 == (size - 1) / 2 ? 1.0 : 1.4)
    }
    crowd.join(Array(0..<size))
    for person in 0..<size { crowd.send(person, along: way) }
    var length = 0.0
    for _ in 0..<250 {
      crowd.step(seconds: 0.1)
      let along = (0..<size).map { crowd.position(of: $0).x }
      length = max(length, (along.max() ?? 0) - (along.min() ?? 0))
    }
    #expect(crowd.position(of: 0).x > 20, "they get on")
    // Independent pairs would be eight metres apart by then.
    #expect(length < 3.5, "\(length)")
  }
}

/// The values that a progress callback received, in order.
///
/// `@unchecked Sendable` holds because the list is accessed only under `lock`.
private final class Shares: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [Double] = []

  var all: [Double] { lock.withLock { list } }

  func add(_ share: Double) { lock.withLock { list.append(share) } }
}

@Suite("Choice of exits")
struct ExitChoiceTests {
  @Test func aQueueMakesAnExitLessAttractive() {
    func exits(_ before: Int) -> [ExitChoice.Exit] {
      [ExitChoice.Exit(distance: 5, width: 1, before: before), ExitChoice.Exit(distance: 20, width: 1, before: 0)]
    }
    #expect(ExitChoice.pick(exits(0), freeSpeed: 1.3) == 0)
    #expect(ExitChoice.pick(exits(100), freeSpeed: 1.3) == 1)
    #expect(ExitChoice.pick([], freeSpeed: 1.3) == 0)
  }
}
