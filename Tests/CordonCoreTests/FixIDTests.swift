import CordonCore
import Testing

@Suite("Fix identity")
struct FixIDTests {
  let device = DeviceID("phone-1")

  @Test func carriesItsTimeAndUUIDLayout() throws {
    let device = try #require(device)
    let time = Instant(milliseconds: 1_763_724_000_123)
    let id = FixID(
      device: device, time: time, coordinate: Coordinate(longitude: 8.5, latitude: 47.25), accuracy: 5,
      floor: FloorOrdinal(1))
    #expect(id.time == time)
    let text = id.description
    #expect(text.utf8.count == 36)
    #expect(Array(text)[14] == "7")
    #expect("89ab".contains(Array(text)[19]))
    #expect(FixID(text) == id)
  }
}
