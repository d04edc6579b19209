import CordonContacts

/// A file of the generator, and its correct result: pairs, long pairs and intervals exactly, seconds to a millionth.
///
/// The peers leave out lone fixes, and pairs of tracks that share only one instant; their contribution is
/// separate.
struct Workload {
  var name: String
  /// Three times the sampling interval, milliseconds.
  var gap: Int64
  var pairs: Int
  var contacts: Int
  var seconds: Double
  /// Pairs whose contacts add up to 15 minutes.
  var longPairs: Int
  /// The contribution of lone fixes and shared instants: contacts of length zero, and pairs without other contacts.
  var touches = (pairs: 0, contacts: 0)
  /// The goal in points per processor second.
  var goal: Double
  /// The limit of memory in mebibytes; 0 for none.
  var memory = 0.0
  /// The length of MEOS's chunks in milliseconds; 0 where MEOS is not run.
  var meosChunk: Int64 = 0

  static let all = [
    Workload(
      name: "w1", gap: 3_000, pairs: 14_465, contacts: 32_754, seconds: 212_824.115, longPairs: 0, goal: 15e6,
      meosChunk: 10_000),
    Workload(
      name: "w1a", gap: 3_000, pairs: 14_376, contacts: 34_549, seconds: 226_392.386, longPairs: 0, goal: 8e6,
      meosChunk: 5_000),
    Workload(
      name: "w2", gap: 15_000, pairs: 1_298_238, contacts: 3_396_594, seconds: 35_030_492.482, longPairs: 13,
      touches: (7, 35), goal: 5e6,
      memory: 600,
      meosChunk: 10_000),
    Workload(
      name: "w2a", gap: 15_000, pairs: 1_298_821, contacts: 3_442_010, seconds: 35_163_775.434, longPairs: 30,
      touches: (11, 36), goal: 3e6,
      meosChunk: 10_000),
    Workload(
      name: "w3", gap: 90_000, pairs: 33_415_377, contacts: 68_871_970, seconds: 943_446_191.439, longPairs: 1_216,
      touches: (972, 2_883), goal: 0.5e6,
      memory: 4_096),
  ]

  static func named(_ name: String) throws -> Workload {
    guard let workload = all.first(where: { $0.name == name }) else { throw BenchError(message: "no workload \(name)") }
    return workload
  }

  func isRight(_ summary: ContactSummary) -> Bool {
    summary.pairs == pairs + touches.pairs && summary.contacts == contacts + touches.contacts
      && summary.pairsOf15Minutes == longPairs
      && areRight(summary.overlapSeconds)
  }

  func areRight(_ found: Double) -> Bool { abs(found / seconds - 1) < 1e-6 }
}
