import CordonCore
import Testing

@Suite("Fix identity")
struct FixIDTests {
  let place = Coordinate(longitude: 8.5, latitude: 47.25)
  let time = Instant(milliseconds: 1_763_724_000_123)

  func id(
    _ name: String = "phone-1", time: Instant? = nil, place: Coordinate? = nil, accuracy: Double? = 5,
    floor: FloorOrdinal? = FloorOrdinal(1)
  ) throws -> FixID {
    FixID(
      device: try #require(DeviceID(name)), time: time ?? self.time, coordinate: place ?? self.place,
      accuracy: accuracy, floor: floor)
  }

  @Test func identitiesHaveTheLayoutOfVersion7UUIDs() throws {
    let id = try id()
    #expect(id.time == time)
    let text = Array(id.description)
    #expect(text.count == 36)
    #expect(text[14] == "7")
    #expect("89ab".contains(text[19]))
    #expect(FixID(id.description) == id)
    #expect(FixID(id.description.uppercased()) == id)
  }

  @Test func equalFixesHaveEqualIdentities() throws {
    #expect(try id() == id())
    // A number that went through seven decimals of text keeps its identity.
    #expect(try id(place: Coordinate(longitude: 8.5 + 2e-8, latitude: 47.25 - 2e-8)) == id())
  }

  @Test func anyDifferenceChangesTheIdentity() throws {
    let ids = [
      try id(), try id("phone-2"), try id(time: time + .milliseconds(1)),
      try id(place: Coordinate(longitude: 8.500_000_1, latitude: 47.25)),
      try id(place: Coordinate(longitude: 8.5, latitude: 47.250_000_1)), try id(accuracy: 5.001), try id(accuracy: nil),
      try id(floor: nil), try id(floor: FloorOrdinal(0)),
    ]
    #expect(Set(ids).count == ids.count)
  }

  @Test func sortsByTime() throws {
    let ids = try (0..<100).map { try id(time: time + .milliseconds(Int64($0))) }
    #expect(ids == ids.sorted())
    #expect(ids.map(\.description) == ids.map(\.description).sorted())
  }

  @Test(arguments: ["", "0193", "0193f5a0-0000-7000-8000-00000000000g", "0193f5a000000-7000-8000-00000000000"])
  func invalidTextIsNotAnIdentity(text: String) {
    #expect(FixID(text) == nil)
  }

  @Test func absurdNumbersDoNotTrap() throws {
    let absurd = [Double.nan, .infinity, -.infinity, 1e300]
    for value in absurd {
      _ = try id(place: Coordinate(longitude: value, latitude: value), accuracy: value)
    }
    _ = try id(time: Instant(milliseconds: .min))
    #expect(try id(time: Instant(milliseconds: .max)).time.milliseconds == 0xffff_ffff_ffff)
  }
}
