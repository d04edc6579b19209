import CordonCore
import CordonPresence
import Testing

@Suite("The diary of a person")
struct PersonDiaryTests {
  private func place(_ east: Double) -> Coordinate { Near.place(east) }

  @Test func daysStaysAndTripsFollowFromPositionsInAnyOrder() throws {
    var diary = PersonDiary()
    let start = Instant(milliseconds: Near.start)
    try diary.addHome(place(0))
    // Half an hour at home, a way of 1 260 m, half an hour elsewhere.
    var fixes: [(Double, Double)] = (0..<180).map { (Double($0) * 10, 0) }
    fixes += (0..<90).map { (1_800 + Double($0) * 10, Double($0) * 14) }
    fixes += (0..<180).map { (2_700 + Double($0) * 10, 1_260) }
    for (time, east) in fixes.reversed() {
      diary.add(place(east), accuracy: 5, at: start + .milliseconds(Int64(time * 1_000)))
    }
    let (days, stays) = diary.summary()
    #expect(days.reduce(0) { $0 + $1.positions } == 450)
    #expect(abs(days.reduce(0) { $0 + $1.distance } - 1_260) < 40)
    let home = days.reduce(0) { $0 + $1.atHome.seconds }
    #expect(home > 1_700 && home < 2_000, "\(home)")
    #expect(stays.map(\.isHome) == [true, false])
    let trip = diary.trip("walk", from: start + .seconds(1_800), until: start + .seconds(2_700))
    #expect(abs(trip.distance - 1_260) < 40, "\(trip.distance)")
    #expect(trip.mode == "walk" && !trip.hasEndedByItself)
    #expect(diary.trip("hovercraft", from: start, until: start).mode == "bicycle")
    #expect(PersonDiary.tripModes.count == 15)
  }

  @Test func aHomeThatIsTooSmallIsRefused() {
    var diary = PersonDiary()
    #expect(throws: (any Error).self) { try diary.addHome(place(0), radius: 20) }
    diary.removeHomes()
    #expect(diary.count == 0 && diary.summary().days.isEmpty)
  }
}
