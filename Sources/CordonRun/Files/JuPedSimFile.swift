import CordonCore
package import CordonGeometry
import CordonSQLite

/// The trajectories of one floor in JuPedSim's SQLite format, for its viewer and for PedPy.
package struct JuPedSimFile {
  private let tracks: RunTracks
  private let floor: Int32
  private let outline: [[PlanePoint]]

  /// Creates a file for one floor of a run.
  ///
  /// - Parameters:
  ///   - tracks: the positions at a fixed rate.
  ///   - floor: `FloorOrdinal.thousandths`.
  ///   - outline: the rings of the floor in metres. The largest is the outside; rings inside it are holes.
  package init(_ tracks: RunTracks, floor: Int32, outline: [[PlanePoint]]) {
    self.tracks = tracks
    self.floor = floor
    self.outline = outline
  }

  /// Writes version 2 of the SQLite format to a file that must not exist.
  ///
  /// - Throws: `SQLiteFault` if the file cannot be written, and any error of the tracks.
  package func writeDatabase(to path: String) throws {
    let database = try Connection(path: path, mode: .create, timeout: 0)
    defer { database.close() }
    try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN")
    try database.execute(
      """
      CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
        pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
      CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
      CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
      CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
      """)
    let rows = try RowWriter(database, table: "trajectory_data", columns: "frame, id, pos_x, pos_y, ori_x, ori_y")
    var low = PlanePoint(x: .infinity, y: .infinity)
    var high = PlanePoint(x: -.infinity, y: -.infinity)
    var lastFrame: Int64 = -1
    try tracks.forEach(on: floor) { frame in
      let x = (frame.x * 100).rounded() / 100
      let y = (frame.y * 100).rounded() / 100
      rows.bind(1, frame.number)
      rows.bind(2, Int64(frame.person) + 1)
      rows.bind(3, x)
      rows.bind(4, y)
      rows.bind(5, frame.heading.x)
      rows.bind(6, frame.heading.y)
      try rows.insert()
      low = PlanePoint(x: min(low.x, x), y: min(low.y, y))
      high = PlanePoint(x: max(high.x, x), y: max(high.y, y))
      lastFrame = max(lastFrame, frame.number)
    }
    try database.execute("CREATE INDEX frame_id_idx ON trajectory_data (frame, id)")
    let bounds = lastFrame >= 0 ? (low, high) : (PlanePoint(x: 0, y: 0), PlanePoint(x: 0, y: 0))
    let metadata = try RowWriter(database, table: "metadata", columns: "key, value")
    for (key, value) in [
      ("version", "2"), ("fps", RunText.number(tracks.rate, places: 6)),
      ("xmin", RunText.number(bounds.0.x, places: 2)),
      ("xmax", RunText.number(bounds.1.x, places: 2)), ("ymin", RunText.number(bounds.0.y, places: 2)),
      ("ymax", RunText.number(bounds.1.y, places: 2)),
    ] {
      metadata.bind(1, key)
      metadata.bind(2, value)
      try metadata.insert()
    }
    let geometry = try RowWriter(database, table: "geometry", columns: "hash, wkt")
    geometry.bind(1, Int64(1))
    geometry.bind(2, wellKnownText)
    try geometry.insert()
    let frames = try RowWriter(database, table: "frame_data", columns: "frame, geometry_hash")
    for frame in 0..<(lastFrame + 1) {
      frames.bind(1, frame)
      frames.bind(2, Int64(1))
      try frames.insert()
    }
    try database.execute("COMMIT")
  }

  /// The outside of the floor and its holes as well-known text (WKT).
  package var wellKnownText: String {
    let rings = outline.filter { $0.count >= 3 }
    let areas = rings.map { abs(PlaneRing.signedArea($0)) }
    guard let largest = rings.indices.max(by: { areas[$0] < areas[$1] }) else {
      return "GEOMETRYCOLLECTION EMPTY"
    }
    let space = RunSpace(id: SpaceID(""), floor: 0, kind: "", name: "", rings: [rings[largest]])
    let holes = rings.indices.filter { $0 != largest && rings[$0].allSatisfy(space.contains) }
    let texts = ([largest] + holes).map { index in
      let ring = rings[index]
      let closed = ring.first == ring.last ? ring : ring + ring.prefix(1)
      return "("
        + closed.map { "\(RunText.number($0.x, places: 3)) \(RunText.number($0.y, places: 3))" }.joined(separator: ", ")
        + ")"
    }
    return "GEOMETRYCOLLECTION (POLYGON (" + texts.joined(separator: ", ") + "))"
  }
}

/// Numbers in text files.
enum RunText {
  /// Returns a number with at most `places` decimals, without trailing zeros.
  static func number(_ value: Double, places: Int) -> String {
    var bytes: [UInt8] = []
    bytes.append(value, places: places)
    return String(decoding: bytes, as: UTF8.self)
  }
}
