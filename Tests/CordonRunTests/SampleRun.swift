import CordonContacts
import CordonCore
import CordonGeometry
import CordonRun
import CordonSupport

/// A run of people who wander between the rooms of a small school: realistic in shape, for tests of writing, reading
/// and drawing. It measures no positioning: the observed side is the true one with noise.
struct SampleRun {
  var people = 12
  var minutes: Int64 = 10
  var seed: UInt64 = 7
  var start = Instant(milliseconds: 1_767_600_000_000)
  var name = "Brook Lane School"
  var fixInterval: Int64 = 5_000

  private static let origin = Coordinate(longitude: -80.535_78, latitude: 43.482_93)
  private static let roomKinds = [
    "classroom", "classroom", "laboratory", "library", "office", "classroom", "restroom", "room",
  ]

  /// Rooms on both sides of a corridor on each of three floors.
  var venue: RunVenue {
    var floors: [RunFloor] = []
    var spaces: [RunSpace] = []
    for floor in 0..<3 {
      var walls: [[PlanePoint]] = [SampleRun.box(-30, -10, 30, 10, closed: true)]
      var doors: [[PlanePoint]] = []
      spaces.append(
        RunSpace(
          id: SpaceID("f\(floor)-corridor"), floor: floor, kind: "corridor", name: "Corridor \(floor)",
          rings: [SampleRun.box(-30, -1.5, 30, 1.5)]))
      for room in 0..<8 {
        let x = -30 + Double(room / 2) * 15
        let north = room.isMultiple(of: 2)
        let kind = SampleRun.roomKinds[(room + floor) % 8]
        spaces.append(
          RunSpace(
            id: SpaceID("f\(floor)-r\(room)"), floor: floor, kind: kind,
            name: kind == "restroom" ? "" : "\(kind.prefix(1).uppercased())\(kind.dropFirst()) \(floor)\(room + 1)",
            rings: [north ? SampleRun.box(x, 1.5, x + 15, 10) : SampleRun.box(x, -10, x + 15, -1.5)]))
        let y = north ? 1.5 : -1.5
        walls.append([PlanePoint(x: x, y: y), PlanePoint(x: x + 6.5, y: y)])
        walls.append([PlanePoint(x: x + 8, y: y), PlanePoint(x: x + 15, y: y)])
        walls.append([PlanePoint(x: x + 15, y: y), PlanePoint(x: x + 15, y: north ? 10 : -10)])
        doors.append([PlanePoint(x: x + 6.5, y: y), PlanePoint(x: x + 8, y: y)])
      }
      floors.append(
        RunFloor(
          id: FloorID("floor-\(floor)"), ordinal: FloorOrdinal(floor),
          name: ["Ground floor", "First floor", "Second floor"][floor],
          outline: [SampleRun.box(-30, -10, 30, 10)], walls: walls, doors: doors))
    }
    return RunVenue(
      id: VenueID("brook-lane-school") ?? VenueID("x")!, name: name, format: "geojson",
      contentHash: String(repeating: "ab", count: 32), timeZone: "America/Toronto", floors: floors, spaces: spaces)
  }

  /// The run. The same values give the same contents.
  var contents: RunContents {
    let venue = venue
    let end = start.milliseconds + minutes * 60_000
    var truth: [Segment] = []
    var presence: [[(space: Int32, from: Int64, to: Int64)]] = []
    for person in 0..<people {
      let (track, stays) = walk(person: person, venue: venue, end: end)
      truth += track
      presence.append(stays)
    }
    let carriers = (0..<people).filter { $0 % 10 != 9 }
    let participants = (0..<people).map { person in
      RunPerson(
        device: person % 10 == 9 ? nil : DeviceID("phone-\(person)"),
        population: person % 15 == 0 ? "staff" : "students")
    }
    let locations = observe(truth, carriers: Set(carriers), venue: venue)
    let trueContacts = meet(truth, source: .truth, noise: 0, presence: presence)
    let observedContacts = meet(truth, source: .observed, noise: 0.8, presence: presence)
      .filter { $0.contact.first % 10 != 9 && $0.contact.second % 10 != 9 }
    let parameters = RunParameters(
      command: [
        "cordon", "simulate", "brook lane.zip", "--people", "\(people)", "--duration", "\(minutes)m", "--seed",
        "\(seed)",
      ],
      version: "0.1.0", seed: seed, start: start, duration: .minutes(minutes), frameOrigin: SampleRun.origin,
      others: [.init("fix_interval_s", 5), .init("position_error_m", 1.5), .init("positioning", "rtt")])
    let occupancy =
      SampleRun.occupancy(presence, source: .truth, people: Set(0..<people), venue: venue, parameters: parameters)
      + SampleRun.occupancy(presence, source: .observed, people: Set(carriers), venue: venue, parameters: parameters)
    let agreement = SampleRun.agreement(
      trueContacts.filter { $0.contact.first % 10 != 9 && $0.contact.second % 10 != 9 }, observedContacts)
    let stored = locations.count
    let waiting = min(stored / 100, 40)
    let accounting = RunAccounting(
      fixes: stored + stored / 4 + stored / 10,
      refused: ["outside": stored / 5, "inaccurate": stored / 4 - stored / 5],
      thinned: stored / 10, stored: stored, acknowledged: stored - waiting, onPhone: waiting)
    var delivery = RunDelivery(
      requests: carriers.count * Int(minutes) / 5, failedRequests: carriers.count / 3, bytesSent: stored * 96,
      rowsReceived: stored + stored / 200, duplicateRows: stored / 200, medianDelaySeconds: 152, p95DelaySeconds: 297.5)
    delivery.notices = carriers.count
    delivery.noticesReceived = carriers.count - 1
    delivery.medianNoticeSeconds = 412
    delivery.p95NoticeSeconds = 890.5
    return RunContents(
      parameters: parameters,
      inputs: [RunInput(role: "venue", name: "brook lane.zip", sha256: String(repeating: "ab", count: 32))],
      venue: venue,
      people: participants, truth: truth, locations: locations, contacts: trueContacts + observedContacts,
      occupancy: occupancy,
      summary: RunSummary(
        people: people, devices: carriers.count, accounting: accounting,
        delivery: delivery,
        trueContacts: trueContacts.count, observedContacts: observedContacts.count, agreement: agreement))
  }

  /// A person who walks from room to room at 1.2 m/s, and stays a while in each.
  private func walk(
    person: Int, venue: RunVenue, end: Int64
  ) -> (track: [Segment], stays: [(space: Int32, from: Int64, to: Int64)]) {
    var random = RandomStream(seed: seed, stream: 1, entity: UInt64(person))
    var track: [Segment] = []
    var stays: [(space: Int32, from: Int64, to: Int64)] = []
    var time = start.milliseconds + Int64(random.nextUnit() * 0.15 * Double(minutes) * 60_000) / 100 * 100
    var floor = 0
    var place = PlanePoint(x: -29, y: 0)
    while time < end {
      let target = random.nextUnit() < 0.25 ? Int(random.nextUnit() * 3) : floor
      // The square makes some rooms popular.
      let room = Int(random.nextUnit() * random.nextUnit() * 8)
      if target != floor { move(to: PlanePoint(x: -29, y: 0)) }
      floor = target
      let space = Int32(floor * 9 + 1 + room)
      let box = venue.spaces[Int(space)].rings[0]
      let door = PlanePoint(x: box[0].x + 7.25, y: room.isMultiple(of: 2) ? 1.5 : -1.5)
      move(to: PlanePoint(x: door.x, y: 0))
      move(to: door)
      let depth = 1 + random.nextUnit() * 6.5
      let entered = time
      move(
        to: PlanePoint(x: box[0].x + 1 + random.nextUnit() * 13, y: door.y + (room.isMultiple(of: 2) ? depth : -depth)))
      stay(for: Int64(random.nextExponential(mean: 420_000)))
      stays.append((space, entered, min(time, end)))
      let left = time
      move(to: door)
      stays.append((Int32(floor * 9), left, min(time, end)))
    }
    return (track, stays)

    func move(to next: PlanePoint) {
      let distance = ((next.x - place.x) * (next.x - place.x) + (next.y - place.y) * (next.y - place.y)).squareRoot()
      add(until: time + max(Int64(distance / 1.2 * 1_000), 100), next)
      place = next
    }
    func stay(for milliseconds: Int64) { add(until: time + max(milliseconds, 20_000), place) }
    func add(until next: Int64, _ there: PlanePoint) {
      defer { time = next }
      guard time < end else { return }
      let share = Double(min(next, end) - time) / Double(next - time)
      let reached = PlanePoint(x: place.x + (there.x - place.x) * share, y: place.y + (there.y - place.y) * share)
      track.append(
        Segment(
          device: Int32(person), floor: Int32(floor * 1_000), start: time, end: min(next, end), x0: tenth(place.x),
          y0: tenth(place.y), x1: tenth(reached.x), y1: tenth(reached.y)))
    }
    func tenth(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
  }

  private func observe(_ truth: [Segment], carriers: Set<Int>, venue: RunVenue) -> [ObservedLocation] {
    let frame = LocalFrame(origin: SampleRun.origin)
    var locations: [ObservedLocation] = []
    for segment in truth where carriers.contains(Int(segment.device)) {
      var random = RandomStream(seed: seed, stream: 2, entity: UInt64(segment.start) << 16 | UInt64(segment.device))
      var time = (segment.start + fixInterval - 1) / fixInterval * fixInterval
      while time < segment.end {
        let share = Double(time - segment.start) / Double(segment.end - segment.start)
        let place = PlanePoint(
          x: segment.x0 + (segment.x1 - segment.x0) * share + random.nextNormal(),
          y: segment.y0 + (segment.y1 - segment.y0) * share + random.nextNormal())
        let coordinate = frame.unproject(place)
        let floor = random.nextUnit() < 0.02 ? nil : FloorOrdinal(thousandths: segment.floor)
        if let device = DeviceID("phone-\(segment.device)") {
          let fix = FixID(
            device: device, time: Instant(milliseconds: time), coordinate: coordinate, accuracy: 1.5, floor: floor)
          locations.append(
            ObservedLocation(
              fix: fix, person: segment.device, time: time, coordinate: coordinate, accuracy: 1.5,
              floor: floor?.thousandths ?? Segment.unknownFloor,
              stillUntil: segment.x0 == segment.x1 && segment.y0 == segment.y1 ? min(time + 60_000, segment.end) : time,
              space: ObservedLocation.noSpace))
        }
        time += fixInterval
      }
    }
    return locations
  }

  /// Finds contacts at intervals of ten seconds: coarse, and good enough to draw.
  private func meet(
    _ truth: [Segment], source: RunSource, noise: Double, presence: [[(space: Int32, from: Int64, to: Int64)]]
  ) -> [RunContact] {
    let step: Int64 = 10_000
    var tracks: [[Segment]] = Array(repeating: [], count: people)
    for segment in truth { tracks[Int(segment.device)].append(segment) }
    var cursors = Array(repeating: 0, count: people)
    var stays = Array(repeating: 0, count: people)
    var open: [Int64: RunContact] = [:]
    var done: [RunContact] = []
    for tick in 0..<(minutes * 60_000 / step) {
      let time = start.milliseconds + tick * step
      var here: [(person: Int, floor: Int32, space: Int32, x: Double, y: Double)] = []
      for person in 0..<people {
        while cursors[person] + 1 < tracks[person].count, tracks[person][cursors[person]].end <= time {
          cursors[person] += 1
        }
        while stays[person] + 1 < presence[person].count, presence[person][stays[person]].to <= time {
          stays[person] += 1
        }
        guard cursors[person] < tracks[person].count else { continue }
        let segment = tracks[person][cursors[person]]
        guard segment.start <= time, time < segment.end else { continue }
        let share = Double(time - segment.start) / Double(segment.end - segment.start)
        var random = RandomStream(seed: seed, stream: 3, entity: UInt64(person), index: UInt64(tick / 12))
        let stay = presence[person].indices.contains(stays[person]) ? presence[person][stays[person]] : (-1, 0, 0)
        here.append(
          (
            person, segment.floor, stay.1 <= time && time < stay.2 ? stay.0 : segment.floor / 1_000 * 9,
            segment.x0 + (segment.x1 - segment.x0) * share + noise * random.nextNormal(),
            segment.y0 + (segment.y1 - segment.y0) * share + noise * random.nextNormal()
          ))
      }
      var near: Set<Int64> = []
      for (index, a) in here.enumerated() {
        for b in here[(index + 1)...] where a.floor == b.floor {
          let distance = ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
          guard distance <= 2 else { continue }
          let key = Int64(a.person) << 32 | Int64(b.person)
          near.insert(key)
          var contact =
            open[key]
            ?? RunContact(
              source: source,
              contact: Contact(
                first: Int32(a.person), second: Int32(b.person), floor: a.floor, start: time * 1_000, end: time * 1_000,
                minimumDistance: .infinity, minimumDistanceTime: 0, x: 0, y: 0),
              firstSpace: a.space, secondSpace: b.space, wallShare: a.space == b.space ? 0 : 0.5)
          contact.contact.end = (time + step) * 1_000
          if distance < contact.contact.minimumDistance {
            contact.contact.minimumDistance = distance
            contact.contact.minimumDistanceTime = time * 1_000
            contact.contact.x = ((a.x + b.x) / 2 * 1e4).rounded() / 1e4
            contact.contact.y = ((a.y + b.y) / 2 * 1e4).rounded() / 1e4
          }
          open[key] = contact
        }
      }
      for key in open.keys.sorted() where !near.contains(key) {
        if let contact = open.removeValue(forKey: key) { done.append(contact) }
      }
    }
    return done + open.keys.sorted().compactMap { open[$0] }
  }

  private static func occupancy(
    _ presence: [[(space: Int32, from: Int64, to: Int64)]], source: RunSource, people: Set<Int>, venue: RunVenue,
    parameters: RunParameters
  ) -> [RunOccupancy] {
    let bin = parameters.occupancyBin.milliseconds
    let first = parameters.start.milliseconds
    let bins = Int(parameters.duration.milliseconds / bin)
    let step: Int64 = 10_000
    var sums: [[Double]] = Array(repeating: Array(repeating: 0, count: bins), count: venue.spaces.count + 3)
    var peaks: [[Int32]] = Array(repeating: Array(repeating: 0, count: bins), count: venue.spaces.count + 3)
    for tick in 0..<(Int64(bins) * bin / step) {
      let time = first + tick * step
      var counts = Array(repeating: 0, count: venue.spaces.count + 3)
      for (person, stays) in presence.enumerated() where people.contains(person) {
        guard let stay = stays.first(where: { $0.from <= time && time < $0.to }) else { continue }
        counts[Int(stay.space)] += 1
        counts[venue.spaces.count + Int(stay.space) / 9] += 1
      }
      let index = Int(tick * step / bin)
      for (row, count) in counts.enumerated() {
        sums[row][index] += Double(count) * Double(step) / Double(bin)
        peaks[row][index] = max(peaks[row][index], Int32(count))
      }
    }
    var rows: [RunOccupancy] = []
    for row in sums.indices {
      for index in 0..<bins where peaks[row][index] > 0 {
        let isFloor = row >= venue.spaces.count
        let floor = isFloor ? row - venue.spaces.count : row / 9
        rows.append(
          RunOccupancy(
            source: source, floor: Int32(floor * 1_000), space: isFloor ? ObservedLocation.noSpace : Int32(row),
            binStart: first + Int64(index) * bin, mean: (sums[row][index] * 1e6).rounded() / 1e6,
            peak: peaks[row][index]))
      }
    }
    return rows
  }

  private static func agreement(_ truth: [RunContact], _ observed: [RunContact]) -> RunAgreement {
    func byPair(_ contacts: [RunContact]) -> [Int64: [Range<Int64>]] {
      var pairs: [Int64: [Range<Int64>]] = [:]
      for row in contacts {
        pairs[Int64(row.contact.first) << 32 | Int64(row.contact.second), default: []]
          .append(row.contact.start..<row.contact.end)
      }
      return pairs
    }
    func total(_ ranges: [Range<Int64>]) -> Double { ranges.reduce(0) { $0 + Double($1.count) / 1e6 } }
    let (a, b) = (byPair(truth), byPair(observed))
    let bounds: [Double] = [0, 60, 300, 900, 1_800, .infinity]
    var classes = zip(bounds, bounds.dropFirst()).map {
      RunAgreement.DurationClass(
        lower: $0, upper: $1, truePairs: 0, trueSeconds: 0, foundSeconds: 0, observedPairs: 0, observedSeconds: 0,
        correctSeconds: 0)
    }
    var result = RunAgreement(
      trueSeconds: 0, observedSeconds: 0, commonSeconds: 0, truePairs: 0, observedPairs: 0, commonPairs: 0)
    for key in Set(a.keys).union(b.keys).sorted() {
      let (x, y) = (a[key] ?? [], b[key] ?? [])
      var common = 0.0
      for p in x { for q in y where p.overlaps(q) { common += Double(p.clamped(to: q).count) / 1e6 } }
      let (s, t) = (total(x), total(y))
      result.trueSeconds += s
      result.observedSeconds += t
      result.commonSeconds += common
      if s >= 900 { result.truePairs += 1 }
      if t >= 900 { result.observedPairs += 1 }
      if s >= 900, t >= 900 { result.commonPairs += 1 }
      if s > 0, let index = classes.firstIndex(where: { s < $0.upper }) {
        classes[index].truePairs += 1
        classes[index].trueSeconds += s
        classes[index].foundSeconds += common
      }
      if t > 0, let index = classes.firstIndex(where: { t < $0.upper }) {
        classes[index].observedPairs += 1
        classes[index].observedSeconds += t
        classes[index].correctSeconds += common
      }
    }
    result.classes = classes
    return result
  }

  private static func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, closed: Bool = false) -> [PlanePoint]
  {
    let corners = [
      PlanePoint(x: x0, y: y0), PlanePoint(x: x1, y: y0), PlanePoint(x: x1, y: y1), PlanePoint(x: x0, y: y1),
    ]
    return closed ? corners + [corners[0]] : corners
  }
}
