import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues
import Foundation

/// The days of the people of a demo venue: who is where from when, and the positions that their devices record.
struct DemoSchedule {
  /// A stay that begins at a minute of the day.
  private struct Stay {
    var minute: Double
    var room: Int
    var spot: Place
  }

  private var ways: DemoWays
  private var random: RandomStream
  private let place: DemoVenue
  private let people: Int
  private let names: [DeviceID]
  private let desks: [(room: Int, spot: Place)]
  private let meetings: [Int]
  private let breaks: [Int]
  private let calendar: Calendar

  /// Metres in a second.
  private static let speed = 1.3
  /// The time between two fixes of a walk, and the longest part of a stay in one row, in seconds.
  private static let (walkStep, stayStep) = (10.0, 900.0)

  init(_ place: DemoVenue, seed: UInt64, people: Int) throws {
    let ways = try place.ways()
    var random = RandomStream(seed: seed, stream: 0xde42)
    func rooms(_ kinds: [SpaceKind]) -> [Int] {
      let found = ways.rooms.indices.filter { kinds.contains(ways.rooms[$0].kind) }
      return found.isEmpty ? Array(ways.rooms.indices) : found
    }
    let offices = rooms([.office, .medical, .ward, .room])
    var names: [DeviceID] = []
    var desks: [(room: Int, spot: Place)] = []
    for person in 0..<people {
      guard let name = DeviceID("week-\(String(random.next() >> 30, radix: 36))-\(person)") else { continue }
      names.append(name)
      let room = offices[random.nextIndex(below: offices.count)]
      desks.append((room, ways.spot(in: room, &random)))
    }
    meetings = rooms([.meetingRoom, .waitingArea, .auditorium])
    breaks = rooms([.kitchen, .restaurant, .lobby])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: DemoVenue.timeZone) ?? .gmt
    self.calendar = calendar
    (self.ways, self.random, self.place, self.people, self.names, self.desks) = (
      ways, random, place, people, names, desks
    )
  }

  /// The name of a person's device.
  func device(_ person: Int) -> DeviceID { names[person] }

  /// The rows of a day for each person, up to now.
  mutating func rows(daysBefore: Int, now: Instant) -> [[Location]] {
    let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000)
    let midnight = calendar.startOfDay(for: calendar.date(byAdding: .day, value: -daysBefore, to: date) ?? date)
    let isWeekend = calendar.isDateInWeekend(midnight)
    let start = Instant(milliseconds: Int64(midnight.timeIntervalSince1970 * 1_000))
    let sessions = (0..<4).map { index in
      (
        minute: 570.0 + Double(index) * 120 + Double(random.nextIndex(below: 4)) * 15,
        room: meetings[random.nextIndex(below: meetings.count)]
      )
    }
    return (0..<people).map { person in
      guard !isWeekend || random.nextUnit() < 0.15 else { return [] }
      let (stays, end) = stays(of: person, sessions)
      return rows(of: person, stays, end: end, from: start, now: now)
    }
  }

  private mutating func stays(
    of person: Int, _ sessions: [(minute: Double, room: Int)]
  ) -> (stays: [Stay], end: Double) {
    let desk = desks[person]
    let begin = 480 + random.nextUnit() * 90
    let end = 960 + random.nextUnit() * 150
    var list = [Stay(minute: begin, room: desk.room, spot: desk.spot)]
    var visits: [(minute: Double, length: Double, room: Int)] = []
    for session in sessions where random.nextUnit() < 0.35 { visits.append((session.minute, 40, session.room)) }
    visits.append((720 + random.nextUnit() * 60, 30, breaks[random.nextIndex(below: breaks.count)]))
    visits.append((610 + random.nextUnit() * 60, 8, breaks[random.nextIndex(below: breaks.count)]))
    visits.append((880 + random.nextUnit() * 60, 8, breaks[random.nextIndex(below: breaks.count)]))
    var free = begin + 10
    for visit in visits.sorted(by: { $0.minute < $1.minute })
    where visit.minute > free && visit.minute + visit.length < end {
      list.append(Stay(minute: visit.minute, room: visit.room, spot: ways.spot(in: visit.room, &random)))
      list.append(Stay(minute: visit.minute + visit.length, room: desk.room, spot: desk.spot))
      free = visit.minute + visit.length + 10
    }
    return (list, end)
  }

  private mutating func rows(
    of person: Int, _ stays: [Stay], end: Double, from start: Instant, now: Instant
  ) -> [Location] {
    var rows: [Location] = []
    var here = stays[0].spot
    for (index, stay) in stays.enumerated() {
      var time = stay.minute * 60
      if index > 0 { time = walk(from: here, to: stay.spot, in: stay.room, at: time, person, start, &rows) }
      here = stay.spot
      let last = (index + 1 < stays.count ? stays[index + 1].minute : end) * 60
      let point = ways.navigation.center(of: here)
      while time < last {
        let next = min(time + Self.stayStep, last)
        add(point, here.floor, at: time, until: next, person, start, &rows)
        time = next
      }
    }
    return rows.filter { ($0.stillUntil ?? $0.time) <= now && $0.time >= now - .days(Int64(DemoWeek.days)) }
  }

  /// Adds the fixes of a walk; returns when it ends.
  private mutating func walk(
    from: Place, to: Place, in room: Int, at begin: Double, _ person: Int, _ start: Instant, _ rows: inout [Location]
  ) -> Double {
    var time = begin
    for leg in ways.way(from: from, to: to, in: room) {
      switch leg {
      case .ride: time += 20
      case .walk(let floor, let points):
        var rest = 0.0
        for (a, b) in zip(points, points.dropFirst()) {
          let way = PlaneSegment(a, b)
          let seconds = way.length / Self.speed
          while rest < seconds {
            add(way.point(at: rest / seconds), floor, at: time + rest, until: nil, person, start, &rows)
            rest += Self.walkStep
          }
          rest -= seconds
          time += seconds
        }
      }
    }
    return time
  }

  private mutating func add(
    _ point: PlanePoint, _ floor: Int, at time: Double, until end: Double?, _ person: Int, _ start: Instant,
    _ rows: inout [Location]
  ) {
    let noisy = PlanePoint(x: point.x + random.nextNormal() * 0.3, y: point.y + random.nextNormal() * 0.3)
    let exact = ways.plan.frame.unproject(noisy)
    let coordinate = Coordinate(
      longitude: (exact.longitude * 1e7).rounded() / 1e7, latitude: (exact.latitude * 1e7).rounded() / 1e7)
    let moment = start + .milliseconds(Int64(time * 1_000))
    let accuracy = 2 + (random.nextUnit() * 30).rounded() / 10
    let ordinal = ways.plan.floors[floor].ordinal
    rows.append(
      Location(
        id: FixID(device: names[person], time: moment, coordinate: coordinate, accuracy: accuracy, floor: ordinal),
        device: names[person], venue: place.map.id, coordinate: coordinate, accuracy: accuracy, floor: ordinal,
        time: moment, stillUntil: end.map { start + .milliseconds(Int64($0 * 1_000)) }))
  }
}
