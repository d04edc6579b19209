import CordonCore
import CordonSupport
import CordonWire

/// Rows per second through the /v1 codec.
enum WireBenchmark {
  static func locations(_ count: Int) -> [Location] {
    guard let device = DeviceID("5a0f6a5c-3f6e-4a2e-9d2b-0a1b2c3d4e5f"), let venue = VenueID("lakeside") else {
      return []
    }
    var random = RandomStream(seed: 1, stream: 1)
    return (0..<count).map { index in
      let coordinate = Coordinate(
        longitude: 8.54 + (random.nextUnit() * 1e4).rounded() / 1e7,
        latitude: 47.37 + (random.nextUnit() * 1e4).rounded() / 1e7)
      let time = Instant(milliseconds: 1_767_254_400_000 + Int64(index) * 5_000)
      let id = FixID(device: device, time: time, coordinate: coordinate, accuracy: 12.25, floor: FloorOrdinal(1))
      return Location(
        id: id, device: device, venue: venue, coordinate: coordinate, accuracy: 12.25, floor: FloorOrdinal(1),
        time: time,
        space: SpaceID("space-\(index % 40)"), venueHash: String(repeating: "0af9", count: 16))
    }
  }

  static func run() throws {
    let rows = locations(500)
    let body = PositionBatch.encode(rows)
    measure("wire, rows written", unit: "rows/s") {
      for _ in 0..<1_000 { _ = PositionBatch.encode(rows) }
      return (500_000, -1)
    }
    try measure("wire, rows read", unit: "rows/s") {
      for _ in 0..<1_000 { _ = try PositionBatch.decode(body) }
      return (500_000, -1)
    }
    measure("wire, rows gzipped (level 6)", unit: "rows/s") {
      for _ in 0..<100 { _ = Gzip.compress(body) }
      return (50_000, -1)
    }
    for count in [1, 500] {
      let answer = PositionAnswers.encode(rows.prefix(count).map { .init(id: $0.id, status: .stored) })
      try measure("wire, answers to \(count) rows read", unit: "rows/s") {
        for _ in 0..<(10_000 / count) { _ = try PositionAnswers.decode(answer) }
        return (10_000 / count * count, -1)
      }
      // A device's work for each answer: the key from its secret, and the code of some lines and the body.
      let message = Array("cordon proof v1\n0123456789abcdef0123456789abcdef\nPOST\n/v1/positions\n207\n".utf8) + answer
      measure("wire, proofs of answers to \(count) rows checked", unit: "rows/s") {
        for _ in 0..<(10_000 / count) {
          var digest = SHA256()
          digest.update("a secret of forty-three characters, or so")
          _ = HMAC.code(of: message, key: digest.finalize())
        }
        return (10_000 / count * count, -1)
      }
    }
    print("wire: \(body.count / 500) B a row, \(Gzip.compress(body).count / 500) B gzipped")
  }
}
