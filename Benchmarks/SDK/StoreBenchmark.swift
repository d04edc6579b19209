import CordonCore
import CordonMonitoring
import CordonSealing
import CordonStorage
import CordonTesting
import Foundation

/// Rows per second into and out of the SQLite file.
enum StoreBenchmark {
  static let sinks = SinkSet([.cordon])

  static func withStore<T>(sealed: Bool = false, _ body: (SQLiteStore, String) throws -> T) throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let sealer = sealed ? AESGCMSealer(keys: ScriptedKeyStore()) : nil
    return try body(try SQLiteStore(path: path, sealer: sealer), path)
  }

  static func insert(_ rows: [Location], by size: Int, into store: SQLiteStore) throws {
    guard let first = rows.first else { return }
    try store.save(DeviceRecord(id: first.device, type: "phone"))
    var index = 0
    while index < rows.count {
      try store.begin(.normal)
      for row in rows[index..<min(index + size, rows.count)] { _ = try store.insert(row, sinks: sinks) }
      try store.commit()
      index += size
    }
  }

  static func run() throws {
    for sealed in [false, true] { try run(sealed: sealed) }
  }

  private static func run(sealed: Bool) throws {
    let name = sealed ? "sealed store" : "store"
    let rows = WireBenchmark.locations(200_000)
    guard let device = rows.first?.device else { return }
    try measure("\(name), rows in transactions of 500", unit: "rows/s") {
      try withStore(sealed: sealed) { store, _ in try insert(rows, by: 500, into: store) }
      return (rows.count, -1)
    }
    try measure("\(name), rows one by one", unit: "rows/s") {
      try withStore(sealed: sealed) { store, _ in try insert(Array(rows.prefix(40_000)), by: 1, into: store) }
      return (40_000, -1)
    }
    try measure("\(name), rows in, leased and acknowledged by 500", unit: "rows/s") {
      try withStore(sealed: sealed) { store, _ in
        try insert(rows, by: 500, into: store)
        try deliver(device, from: store)
      }
      return (rows.count, -1)
    }
    try measureMillion(sealed: sealed, name)
  }

  private static func deliver(_ device: DeviceID, from store: SQLiteStore) throws {
    let now = Instant(milliseconds: 1_800_000_000_000)
    while true {
      try store.begin(.normal)
      let taken = try store.lease(device, sink: .cordon, venue: nil, limit: 500, now: now, until: now + .minutes(5))
      try store.commit()
      if taken.isEmpty { return }
      try store.begin(.normal)
      let results = taken.map { DeliveryResult(id: $0.id, stillUntil: nil, outcome: .acknowledged) }
      _ = try store.completeLease(device, sink: .cordon, rows: results, required: sinks)
      try store.commit()
    }
  }

  private static func measureMillion(sealed: Bool, _ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cordon-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("store.sqlite").path
    let sealer = sealed ? AESGCMSealer(keys: ScriptedKeyStore()) : nil
    do {
      let store = try SQLiteStore(path: path, sealer: sealer)
      try insert(WireBenchmark.locations(1_000_000), by: 500, into: store)
      try store.scrub()
    }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    var figures: [Double] = []
    for _ in 0..<5 {
      let start = processorSeconds()
      _ = try SQLiteStore(path: path, sealer: sealer)
      figures.append((processorSeconds() - start) * 1e3)
    }
    figures.sort()
    print(
      "\(name): 1 000 000 queued rows take \(size / 1_000_000) MB; opened in \(String(format: "%.1f", figures[0])) ms, "
        + "median \(String(format: "%.1f", figures[2])) ms")
  }
}
