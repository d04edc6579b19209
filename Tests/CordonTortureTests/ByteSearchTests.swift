import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonStorage
import CordonTestSupport
import Testing

@testable import CordonIngest
@testable import CordonTorture

extension TortureTests {
  /// The search of file bytes finds rows that really lie in the files.
  @Suite struct ByteSearch {
    static let site = TortureSite()

    /// Counts the places of a phone in every file of a machine.
    static func count(_ disk: TortureDisk, _ places: [Coordinate], onServer: Bool) -> Int {
      var scanner = ByteScanner()
      for place in places.map(PlacePattern.init) {
        if onServer { scanner.add(place.ofServer) } else { scanner.add(place.longitude, place.latitude) }
      }
      var count = 0
      disk.forEachFile { bytes in
        let found = scanner.found(in: bytes)
        count += found.patterns + found.pairs
      }
      return count
    }

    @Test func aPlaceStoredByAPhoneIsFound() throws {
      TortureDisk.reset(seed: 1)
      let disk = TortureDisk(machine: 1)
      let store = try SQLiteStore(path: disk.path("phone.sqlite"))
      // In the hole, with the same x in metres as a place in the hall.
      let outside = Self.site.coordinate(0.5, 0.5)
      let inside = Self.site.coordinate(0.5, 20.5)
      #expect(outside.longitude == inside.longitude)
      let device = try #require(DeviceID("phone"))
      let time = Instant.testStart
      func keep(_ coordinate: Coordinate, _ time: Instant) throws {
        let id = FixID(device: device, time: time, coordinate: coordinate, accuracy: 5, floor: nil)
        try store.begin(.normal)
        _ = try store.insert(
          Location(
            id: id, device: device, venue: Self.site.id, coordinate: coordinate, accuracy: 5, floor: nil, time: time,
            venueHash: Self.site.gates[0].contentHash), sinks: SinkSet([.cordon]))
        try store.commit()
      }
      try store.begin(.normal)
      try store.save(DeviceRecord(id: device, type: "phone"))
      try store.commit()
      try keep(inside, time)
      #expect(Self.count(disk, [outside], onServer: false) == 0)
      try keep(outside, time + .seconds(5))
      #expect(Self.count(disk, [outside], onServer: false) > 0)
    }

    @Test func aPlaceStoredByAServerIsFound() throws {
      TortureDisk.reset(seed: 1)
      let disk = TortureDisk(machine: 0)
      let store = try SQLitePositionStore(path: disk.path("server.sqlite"))
      let outside = Self.site.coordinate(0.5, 0.5)
      let inside = Self.site.coordinate(0.5, 20.5)
      let device = try #require(DeviceID("phone"))
      let time = Instant.testStart
      try store.begin()
      let venue = try store.number(of: Self.site.id, origin: Self.site.frame.origin)
      let number = try store.save(
        StoredDevice(id: device, kind: .secret, venue: Self.site.id, type: "phone", created: time))
      try store.commit()
      func keep(_ coordinate: Coordinate, _ time: Instant) throws {
        let row = NewPosition(
          id: FixID(device: device, time: time, coordinate: coordinate, accuracy: 5, floor: nil),
          longitude: Int32((coordinate.longitude * 1e7).rounded()),
          latitude: Int32((coordinate.latitude * 1e7).rounded()), accuracy: 5_000, floor: nil, stillUntil: nil,
          space: nil, venueHash: Self.site.gates[0].contentHash)
        try store.begin()
        _ = try store.insert([row], device: number, venue: venue)
        try store.commit()
      }
      try keep(inside, time)
      #expect(Self.count(disk, [outside], onServer: true) == 0)
      try keep(outside, time + .seconds(5))
      #expect(Self.count(disk, [outside], onServer: true) > 0)
    }
  }
}
