import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest

/// Attacks that subtract a viewer's numbers over windows, bins, floors, spaces, times and operators.
@Suite("What viewers learn") struct ViewerTests {
  /// A venue with two halls and a closet, of which an attacker knows everything but one device.
  private final class World {
    static let start = Instant.testStart
    static let venue = SmallVenue().venue
    let store: SQLitePositionStore
    let ingest: Ingest
    private var numbers: [Int: Int64] = [:]
    private var venueNumber: Int64 = 0
    /// All answers, in order.
    private(set) var transcript: [String] = []
    private let frame = LocalFrame(origin: Coordinate(longitude: 8.54, latitude: 47.37))

    enum Place: String, CaseIterable { case hall, gallery, closet, corridor, upstairs }

    init() throws {
      store = try SQLitePositionStore(path: ":memory:")
      let frame = frame
      func area(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> GeoMultiPolygon {
        let corners = [
          (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
          (x.lowerBound, y.upperBound),
        ]
        return GeoMultiPolygon([GeoPolygon(outer: corners.map { frame.unproject(PlanePoint(x: $0.0, y: $0.1)) })])
      }
      let floors = [0, 1].map { PackedVenue.Floor(id: FloorID("f\($0)"), ordinal: FloorOrdinal($0)) }
      let packed = PackedVenue(
        venue: Self.venue, contentHash: String(repeating: "a", count: 64),
        geofence: Geofence(center: frame.origin, radius: 100, exitRadius: 200), boundary: area(-50...50, -50...50),
        frameOrigin: frame.origin, floors: floors,
        spaces: [
          .init(id: SpaceID("hall"), floor: floors[0].id, kind: "hall", outline: area(-40...(-20), -10...10)),
          .init(id: SpaceID("gallery"), floor: floors[0].id, kind: "hall", outline: area(20...40, -10...10)),
          .init(id: SpaceID("closet"), floor: floors[0].id, kind: "room", outline: area(0...2, 0...2)),
        ])
      let served = try ServedVenue(packed: packed, name: "venue", bundle: nil)
      let keys = ServerKeys(
        tokens: [TokenKey(id: "k1", secret: Array("a key of at least thirty-two bytes".utf8))], tombstone: [1, 2, 3])
      var settings = IngestSettings()
      settings.findsContacts = false
      ingest = Ingest(
        preprocessor: RequestPreprocessor(
          settings: settings, catalog: VenueCatalog([served]), signer: PlainSigner(), keys: keys,
          operators: ["one", "two"].map { Operator(id: $0, role: .viewer, key: "key") }), store: store,
        random: RandomBits(RandomStream(seed: 7, stream: 1)))
      venueNumber = try store.number(of: Self.venue, origin: frame.origin)
      ingest.tick(now: Self.start)
    }

    private func number(_ device: Int) throws -> Int64 {
      if let known = numbers[device] { return known }
      let id = try #require(DeviceID("phone-\(device)"))
      let new = StoredDevice(id: id, kind: .secret, venue: Self.venue, type: "", created: Self.start)
      let number = try store.save(new)
      numbers[device] = number
      return number
    }

    /// Adds rows of a device, one every three minutes.
    func stay(_ device: Int, _ place: Place, from: Instant, to: Instant) throws {
      let id = try #require(DeviceID("phone-\(device)"))
      let x = ([.hall: -30, .gallery: 30, .closet: 1, .corridor: 10] as [Place: Double])[place] ?? 0
      let coordinate = frame.unproject(PlanePoint(x: x + Double(device % 10) / 100, y: 1))
      let floor = FloorOrdinal(place == .upstairs ? 1 : 0)
      var rows: [NewPosition] = []
      var time = from
      while time < to {
        rows.append(
          NewPosition(
            id: FixID(device: id, time: time, coordinate: coordinate, accuracy: 5, floor: floor),
            longitude: RowGate.scaled(coordinate.longitude), latitude: RowGate.scaled(coordinate.latitude),
            accuracy: 5_000, floor: floor.thousandths, stillUntil: min(time + .minutes(3), to).milliseconds,
            space: place == .corridor || place == .upstairs ? nil : SpaceID(place.rawValue), venueHash: ""))
        time = time + .minutes(3)
      }
      _ = try store.insert(rows, device: try number(device), venue: venueNumber)
    }

    func erase(_ device: Int) throws { _ = try store.erase(device: try number(device)) }

    func ask(_ query: String, as user: String, now: Instant) -> IngestResponse {
      ingest.handle(
        IngestRequest(
          "GET", "/v1/operator/occupancy?venue=\(Self.venue)\(query)", headers: [Bench.basic(user, "key")], peer: user),
        now: now)
    }

    /// Sends every possible request, by both operators; other widths of bins only for the longest window.
    func attack(now: Instant) {
      while ingest.tick(now: now) {}
      let time = now.milliseconds
      let windows: [(from: Int64, to: Int64)] = [
        (14_400_000, 0), (3_600_000, 0), (900_000, 0), (60_000, 0), (0, 0), (5_400_000, 1_800_000),
        (5_399_999, 1_800_001), (3_600_000, 450_000), (450_000, -900_000),
      ]
      for user in ["one", "two"] {
        for by in ["floor", "space"] {
          for (index, window) in windows.enumerated() {
            let query = "&by=\(by)&from=\(time - window.from)&to=\(time - window.to)"
            let bins = index == 0 ? ["", "&bin_s=900", "&bin_s=300", "&bin_s=60", "&bin_s=3600"] : [""]
            for bin in bins { transcript.append(ask(query + bin, as: user, now: now).text) }
          }
        }
      }
    }

    /// The number of each place and bin at a time.
    func numbers(by: String, now: Instant) throws -> [String: [Int64: Int64]] {
      let from = (now - .days(6)).milliseconds
      let object = try ask("&by=\(by)&from=\(from)&to=\(now.milliseconds)", as: "one", now: now).object
      var result: [String: [Int64: Int64]] = [:]
      for place in try #require(object["places"] as? [[String: Any]]) {
        let name = place["space"] as? String ?? "floor \(place["floor"] as? Int ?? -1)"
        for bin in try #require(place["bins"] as? [[String: Any]]) {
          #expect(Set(bin.keys) == ["start", "devices"], "no means, no peaks")
          guard let start = bin["start"] as? Int64, let devices = bin["devices"] as? Int64 else { continue }
          result[name, default: [:]][start] = devices
        }
      }
      return result
    }
  }

  /// The behaviour of the one device that the attacker wants to learn.
  enum Secret: CaseIterable { case arrives, leaves, changesRooms, comesAndGoes, uploadsLate, isErased, entersTheCloset }

  private static func transcript(crowd: Int, _ secret: Secret?) throws -> [String] {
    let world = try World()
    let target = 1_000
    // The crowd arrives before, and stays.
    for bin in 0..<12 {
      let start = World.start + .minutes(Int64(15 * bin))
      let end = start + .minutes(15)
      for device in 0..<crowd {
        try world.stay(device, device % 2 == 0 ? .hall : .gallery, from: start, to: end)
      }
      switch secret {
      case .arrives where bin >= 5: try world.stay(target, .hall, from: start + .minutes(7), to: end)
      case .leaves where (2..<6).contains(bin): try world.stay(target, .hall, from: start, to: end)
      case .changesRooms where bin >= 2: try world.stay(target, bin < 5 ? .hall : .gallery, from: start, to: end)
      case .comesAndGoes where bin % 2 == 1: try world.stay(target, .upstairs, from: start, to: end)
      case .isErased where (2..<6).contains(bin): try world.stay(target, .gallery, from: start, to: end)
      case .entersTheCloset where bin == 6: try world.stay(target, .closet, from: start, to: end)
      case .uploadsLate where bin == 9:
        try world.stay(target, .hall, from: World.start + .minutes(30), to: World.start + .minutes(90))
      default: break
      }
      if secret == .isErased, bin == 6 { try world.erase(target) }
      // During the bin and after it.
      for minutes in [3, 9, 15] { world.attack(now: start + .minutes(Int64(minutes))) }
    }
    world.attack(now: World.start + .hours(6))
    return world.transcript
  }

  /// Two worlds that differ only by one device's behaviour give the same answers, for any size of the crowd. Left out
  /// are crowds with four uncounted arrivals at a place: there a fifth can be the one that makes a new number.
  @Test(arguments: Seeds.some(of: [0, 3, 6, 10, 11, 14, 19, 25]))
  func oneDeviceDoesNotChangeCounts(_ crowd: Int) throws {
    let without = try Self.transcript(crowd: crowd, nil)
    for secret in Secret.allCases {
      let with = try Self.transcript(crowd: crowd, secret)
      #expect(with.count == without.count)
      let different = zip(with, without).count { $0 != $1 }
      #expect(different == 0, "\(secret) shows in a crowd of \(crowd)")
    }
  }

  /// The number of a bin never changes, is a multiple of five, and differs from the former bin only when five devices
  /// came or went. So does every difference of numbers: floors and spaces, windows, operators.
  @Test(arguments: Seeds.some(of: 0..<6 as Range<UInt64>))
  func everyChangeNeedsFiveDevices(_ seed: UInt64) throws {
    let world = try World()
    var random = RandomStream(seed: seed, stream: 3)
    var places: [Int: World.Place] = [:]
    var told: [String: [Int64: Int64]] = [:]
    var before: [CountedPlace: ViewerPlace] = [:]
    var errors: [Int64] = []
    for bin in 0..<40 {
      let start = World.start + .minutes(Int64(15 * bin))
      for device in 0..<40 where random.nextIndex(below: 4) == 0 {
        places[device] = random.nextIndex(below: 3) == 0 ? nil : World.Place.allCases[random.nextIndex(below: 5)]
      }
      for (device, place) in places.sorted(by: { $0.key < $1.key }) {
        try world.stay(device, place, from: start, to: start + .minutes(15))
      }
      let now = start + .minutes(30)
      world.attack(now: now)
      let state = try world.store.viewerPlaces(of: 1)
      for (place, value) in state {
        let former = before[place] ?? ViewerPlace()
        let moved = value.members.symmetricDifference(former.members).count
        #expect(moved == 0 || moved >= 5)
        if value.devices != former.devices { #expect(moved >= 5, "a change is the work of five") }
        errors.append(value.devices - Int64(value.members.count))
      }
      before = state
      let here = places.filter { $0.value != .upstairs }.count
      let counted = state[CountedPlace(floor: 0, space: 0)]?.members.count ?? 0
      #expect(abs(here - counted) <= 10, "what is counted is not far from what is there")
      for by in ["floor", "space"] {
        for (place, numbers) in try world.numbers(by: by, now: now) {
          #expect(place != "closet", "too small to be reported")
          for (time, devices) in numbers {
            #expect(devices >= 5 && devices % 5 == 0)
            if let known = told[place]?[time] { #expect(known == devices, "a number changed afterwards") }
            told[place, default: [:]][time] = devices
          }
        }
      }
    }
    #expect(told.keys.contains("floor 0") && told.keys.contains("hall"))
    #expect(errors.map { Double(abs($0)) }.reduce(0, +) / Double(errors.count) < 6, "of use")
    #expect(!world.transcript.contains { $0.contains("mean") || $0.contains("peak") })
  }

  /// An attacker who knows all others, and waits for a change that includes the one device, is never sure of it. With
  /// and without the device the same numbers appear, none of them more than e^(1/2) times as often.
  @Test func aCountProvesNothing() {
    func frequencies(_ count: Int64) -> [Int64: Double] {
      var random = RandomBits(RandomStream(seed: 5, stream: UInt32(count)))
      var seen: [Int64: Double] = [:]
      let runs = 20_000
      for _ in 0..<runs {
        var place = ViewerPlace()
        #expect(place.update(Set(0..<count), smallest: 5, random: &random))
        #expect((5..<10).contains(place.threshold))
        seen[place.devices, default: 0] += 1 / Double(runs)
      }
      return seen
    }
    for count in [6, 9, 10, 14, 23] as [Int64] {
      let (without, with) = (frequencies(count), frequencies(count + 1))
      for number in Set(without.keys).union(with.keys) {
        let (a, b) = (without[number] ?? 0, with[number] ?? 0)
        // Only numbers that appear often enough to be measured.
        guard max(a, b) > 0.01 else { continue }
        #expect(max(a, b) / min(a, b) < 1.65 * 1.15, "\(count): \(number) is said \(a), \(b)")
      }
    }
  }

  /// Bins are reported some time after their end, and only with the one width.
  @Test func onlyClosedBinsAreReported() throws {
    let world = try World()
    for device in 0..<20 { try world.stay(device, .hall, from: World.start, to: World.start + .minutes(40)) }
    func last(_ minutes: Int64) throws -> Int64? {
      let now = World.start + .minutes(minutes)
      while world.ingest.tick(now: now) {}
      return try world.numbers(by: "floor", now: now)["floor 0"]?.keys.max()
    }
    #expect(try last(14) == nil)
    #expect(try last(29) == nil)
    #expect(try last(30) == World.start.milliseconds)
    #expect(try last(44) == World.start.milliseconds)
    #expect(try last(45) == (World.start + .minutes(15)).milliseconds)
    for bin in [60, 300, 899, 901, 3_600] {
      #expect(world.ask("&bin_s=\(bin)", as: "one", now: World.start + .hours(1)).code == "bad-parameter")
    }
    // People who leave do not stay in the numbers.
    #expect(try last(180) ?? 0 <= (World.start + .minutes(30)).milliseconds)
  }

  /// Programs that are fed get the numbers of viewers, and no space that viewers do not see.
  @Test func feedsHaveTheNumbersOfViewers() throws {
    let world = try World()
    for device in 0..<20 { try world.stay(device, .hall, from: World.start, to: World.start + .minutes(20)) }
    for device in 20..<30 { try world.stay(device, .closet, from: World.start, to: World.start + .minutes(20)) }
    func bins(_ from: Instant?, limit: Int = 96) throws -> [ViewerBin] {
      try ViewerBin.read(from: world.store, [(World.venue, from)], limit: limit)
    }
    // The bin before the counting began.
    #expect(try bins(nil).map(\.spaces) == [[:]])
    let now = World.start + .minutes(61)
    while world.ingest.tick(now: now) {}
    let all = try bins(World.start)
    #expect(all.map(\.start) == [0, 15, 30].map { World.start + .minutes($0) })
    let numbers = try world.numbers(by: "space", now: now)
    for bin in all {
      #expect(bin.spaces[SpaceID("hall")] == numbers["hall"]?[bin.start.milliseconds])
      #expect(bin.spaces[SpaceID("closet")] == nil && bin.end == bin.start + .minutes(15))
    }
    #expect(try #require(all.first?.spaces[SpaceID("hall")]) >= 5)
    #expect(try bins(nil) == [all[2]] && bins(World.start, limit: 2) == Array(all[1...]))
    #expect(try bins(now).isEmpty)
    let served = try #require(world.ingest.preprocessor.catalog.venues[World.venue])
    #expect(served.viewerSpaces(smallest: 50).map(\.id) == [SpaceID("hall"), SpaceID("gallery")])
  }
}
