package import CordonCore
package import CordonIngest

/// Codes and keys of persons' pages, which all servers of the database have in common.
extension PostgresPositionStore: PageCodeStore {
  /// See ``SharedStore/pageCodes``.
  package var pageCodes: any PageCodeStore { self }

  private static func pageCode(_ rows: PostgresRows) -> PageCode? {
    guard rows.count > 0, let device = DeviceID(rows.text(0, 1)) else { return nil }
    return PageCode(
      hash: rows.blob(0, 0), device: device, generation: rows.int(0, 2), end: Instant(milliseconds: rows.int(0, 3)))
  }

  private static func parameters(_ code: PageCode) -> [PostgresParameter] {
    [.bytes(code.hash), .text(code.device.rawValue), .int(code.generation), .int(code.end.milliseconds)]
  }

  /// See ``PageCodeStore/save(code:)``.
  package func save(code: PageCode) throws(StoreFault) {
    try run(
      """
      INSERT INTO page_code (hash, device, generation, ends) VALUES ($1, $2, $3, $4)
      ON CONFLICT (device) DO UPDATE SET hash = $1, generation = $3, ends = $4
      """, Self.parameters(code))
  }

  /// See ``PageCodeStore/take(code:)``. The row is locked by the first server that deletes it, so only that one gets it.
  package func take(code hash: [UInt8]) throws(StoreFault) -> PageCode? {
    Self.pageCode(
      try run("DELETE FROM page_code WHERE hash = $1 RETURNING hash, device, generation, ends", [.bytes(hash)]))
  }

  /// See ``PageCodeStore/save(key:)``.
  package func save(key: PageCode) throws(StoreFault) {
    try run("INSERT INTO page_key (hash, device, generation, ends) VALUES ($1, $2, $3, $4)", Self.parameters(key))
    try run(
      """
      DELETE FROM page_key WHERE hash IN (
        SELECT hash FROM page_key WHERE device = $1 ORDER BY ends DESC, hash OFFSET $2)
      """, [.text(key.device.rawValue), .int(Int64(PageCode.maximumKeys))])
  }

  /// See ``PageCodeStore/key(_:)``.
  package func key(_ hash: [UInt8]) throws(StoreFault) -> PageCode? {
    Self.pageCode(try run("SELECT hash, device, generation, ends FROM page_key WHERE hash = $1", [.bytes(hash)]))
  }

  /// See ``PageCodeStore/forgetCodes(of:)``.
  package func forgetCodes(of device: DeviceID) throws(StoreFault) {
    try run(
      "WITH codes AS (DELETE FROM page_code WHERE device = $1) DELETE FROM page_key WHERE device = $1",
      [.text(device.rawValue)])
  }

  /// See ``PageCodeStore/expire(codesAt:)``.
  package func expire(codesAt now: Instant) throws(StoreFault) {
    try run(
      "WITH codes AS (DELETE FROM page_code WHERE ends <= $1) DELETE FROM page_key WHERE ends <= $1",
      [.int(now.milliseconds)])
  }
}
