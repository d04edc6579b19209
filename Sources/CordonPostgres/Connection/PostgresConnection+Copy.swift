internal import CPostgres
internal import CordonIngest

extension PostgresConnection {
  /// Runs a COPY from this program, after all that are queued.
  /// - Parameters:
  ///   - sql: the statement, which is not prepared. Others without parameters and rows may stand before and after it.
  ///   - bytes: the rows in the format that the statement names.
  /// - Returns: `false` when a row is there already. The transaction has failed then, back to its last savepoint.
  func copy(_ sql: String, _ bytes: [UInt8]) throws(StoreFault) -> Bool {
    try settle()
    guard isUsable, PQexitPipelineMode(handle) == 1 else { throw lost("pipeline mode does not end") }
    defer { PQenterPipelineMode(handle) }
    let deadline = ContinuousClock.now + patience
    guard let begun = PQexec(handle, sql) else { throw lost("no memory for a result") }
    defer { PQclear(begun) }
    guard PQresultStatus(begun) == PGRES_COPY_IN else { throw fault(of: begun) }
    var sent = 0
    while sent < bytes.count {
      let count = min(bytes.count - sent, 1 << 18)
      let result = bytes.withUnsafeBytes { bytes in
        PQputCopyData(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self).advanced(by: sent),
          Int32(truncatingIfNeeded: count))
      }
      guard result >= 0 else { throw lost("the connection ended") }
      if result > 0 { sent += count }
    }
    guard PQputCopyEnd(handle, nil) >= 0 else { throw lost("the connection ended") }
    var isNew = true
    var failure: StoreFault?
    while true {
      try awaitResult(until: deadline)
      guard let result = PQgetResult(handle) else { break }
      defer { PQclear(result) }
      guard PQresultStatus(result) != PGRES_COMMAND_OK else { continue }
      if StoreFault.state(of: result) == "23505" { isNew = false } else { failure = failure ?? fault(of: result) }
      guard PQstatus(handle) == CONNECTION_OK else { throw lost("the connection ended") }
    }
    if let failure { throw failure }
    return isNew
  }
}
