internal import CPostgres
internal import CordonIngest
internal import Foundation

/// A connection to PostgreSQL with its prepared statements, in pipeline mode of libpq. It belongs to one thread at a time.
///
/// ``post(_:_:)`` queues a statement and does not wait; ``run(_:_:)`` waits for its own rows and for all that was queued before it.
/// An error of a queued statement is thrown by the call that waits. Within a transaction the server refuses everything after an
/// error, so that nothing is committed by mistake.
final class PostgresConnection {
  let handle: OpaquePointer
  private var names: [String: String] = [:]
  private var namesGiven = 0
  /// Statements whose preparation the server has not confirmed yet.
  private var unconfirmed: [String] = []
  /// How many results are outstanding.
  private var outstanding = 0
  /// Whether the connection can be used. Once `false` it stays so.
  private(set) var isUsable = true
  private(set) var isInTransaction = false
  /// Asked again and again while a statement runs; `true` cancels it.
  var interruption: (() -> Bool)?
  /// The maximum time that the server may take for an answer.
  let patience: Duration
  /// The statements that are queued at most before their results are read.
  private static let maximumOutstanding = 512

  /// Connects.
  /// - Parameters:
  ///   - address: where.
  ///   - patience: the maximum time for an answer. The server's own limit of a statement is two seconds shorter.
  /// - Throws: ``StoreFault/Kind/unavailable`` when there is no server, or it refuses the user.
  init(_ address: PostgresAddress, patience: Duration) throws(StoreFault) {
    self.patience = patience
    // strdup: libpq copies what it is given.
    var words = address.parameters.map { strdup($0.name) } + [nil]
    var values = address.parameters.map { strdup($0.value) } + [nil]
    defer { for word in words + values { free(word) } }
    let opened: OpaquePointer? = words.withUnsafeMutableBufferPointer { words in
      values.withUnsafeMutableBufferPointer { values in
        words.withMemoryRebound(to: UnsafePointer<CChar>?.self) { words in
          values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
            PQconnectdbParams(words.baseAddress, values.baseAddress, 0)
          }
        }
      }
    }
    guard let opened else { throw StoreFault(.unavailable, "no memory for a connection") }
    guard PQstatus(opened) == CONNECTION_OK else {
      let line = String(cString: PQerrorMessage(opened)).split(separator: "\n").first ?? "no connection"
      PQfinish(opened)
      throw StoreFault(.unavailable, String(line))
    }
    handle = opened
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
    PQsetnonblocking(opened, 1)
    let limit = max(1, patience.components.seconds - 2) * 1_000
    try script(
      """
      SET client_encoding = 'UTF8'; SET client_min_messages = warning; SET statement_timeout = \(limit);
      SET idle_in_transaction_session_timeout = 60000; SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 2;
      SET tcp_keepalives_count = 2;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')
      """)
    guard PQenterPipelineMode(handle) == 1 else { throw StoreFault(.failed, "no pipeline mode") }
  }

  deinit { PQfinish(handle) }

  /// The version of the server, such as 150018.
  var serverVersion: Int { Int(PQserverVersion(handle)) }

  /// The number of the server's process.
  var process: Int32 { PQbackendPID(handle) }

  // MARK: Statements

  /// Queues a statement. Its error, if there is one, is thrown by a later call.
  func post(_ sql: String, _ parameters: [PostgresParameter] = []) throws(StoreFault) {
    try send(sql, parameters)
    if outstanding >= Self.maximumOutstanding { _ = try finish() }
  }

  /// Runs a statement, after all that are queued, and returns its rows.
  @discardableResult
  func run(_ sql: String, _ parameters: [PostgresParameter] = []) throws(StoreFault) -> PostgresRows {
    try send(sql, parameters)
    guard let rows = try finish() else { throw StoreFault(.failed, "a statement without a result") }
    return rows
  }

  /// Waits for all that was queued.
  func settle() throws(StoreFault) {
    if outstanding > 0 { _ = try finish() }
  }

  /// Runs several statements without parameters and without rows. Nothing may be queued.
  func script(_ sql: String) throws(StoreFault) {
    let wasPipeline = PQpipelineStatus(handle) != PQ_PIPELINE_OFF
    if wasPipeline {
      try settle()
      guard PQexitPipelineMode(handle) == 1 else { throw lost("pipeline mode does not end") }
    }
    guard let result = PQexec(handle, sql) else { throw lost("no memory for a result") }
    defer { PQclear(result) }
    if wasPipeline { PQenterPipelineMode(handle) }
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw fault(of: result) }
  }

  // MARK: Transactions

  /// Starts a transaction.
  func begin() throws(StoreFault) {
    guard !isInTransaction else { throw StoreFault(.failed, "begin: a transaction is open") }
    isInTransaction = true
    try post("BEGIN")
  }

  /// Commits. When this throws, the transaction may be committed or not if the connection ended.
  func commit() throws(StoreFault) {
    guard isInTransaction else { throw StoreFault(.failed, "commit: no transaction is open") }
    // The server answers COMMIT of a failed transaction by undoing it.
    guard try run("COMMIT").command == "COMMIT" else { throw StoreFault(.failed, "commit: the transaction had failed") }
    isInTransaction = false
  }

  /// Undoes the open transaction, if there is one.
  func rollback() {
    guard isInTransaction else { return }
    isInTransaction = false
    guard isUsable else { return }
    // Queued statements may have failed; the transaction is undone all the same.
    do throws(StoreFault) { try settle() } catch {}
    do throws(StoreFault) { try run("ROLLBACK") } catch { isUsable = false }
  }

  // MARK: The pipeline

  func lost(_ message: String) -> StoreFault {
    isUsable = false
    return StoreFault(.unavailable, message)
  }

  func fault(of result: OpaquePointer) -> StoreFault {
    let fault = StoreFault(result)
    if PQstatus(handle) != CONNECTION_OK || fault.kind == .unavailable { isUsable = false }
    return fault
  }

  private func send(_ sql: String, _ parameters: [PostgresParameter]) throws(StoreFault) {
    guard isUsable else { throw StoreFault(.unavailable, "the connection ended") }
    var name = names[sql]
    if name == nil {
      namesGiven += 1
      let new = "s\(namesGiven)"
      let types = parameters.map { Oid($0.type) }
      guard PQsendPrepare(handle, new, sql, Int32(types.count), types) == 1 else { throw lost("cannot send") }
      outstanding += 1
      unconfirmed.append(sql)
      names[sql] = new
      name = new
    }
    var bytes: [UInt8] = []
    var places: [Int?] = []
    var lengths: [Int32] = []
    for parameter in parameters {
      let start = bytes.count
      places.append(parameter.append(to: &bytes) ? start : nil)
      lengths.append(Int32(truncatingIfNeeded: bytes.count - start))
    }
    // An empty value needs an address: none means NULL.
    bytes.append(0)
    let formats = [Int32](repeating: 1, count: parameters.count)
    let isSent = bytes.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = places.map { place in place.flatMap { start?.advanced(by: $0) } }
      return PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
    }
    guard isSent == 1 else { throw lost("cannot send") }
    outstanding += 1
  }

  /// Reads the results of everything that was sent; returns that of the last statement, or throws the first error.
  private func finish() throws(StoreFault) -> PostgresRows? {
    guard isUsable, PQpipelineSync(handle) == 1 else { throw lost("cannot send") }
    let deadline = ContinuousClock.now + patience
    var first: StoreFault?
    var last: PostgresRows?
    while true {
      try awaitResult(until: deadline)
      // Each statement ends with an empty result; a failed connection has nothing but empty ones.
      guard let result = PQgetResult(handle) else {
        guard PQstatus(handle) == CONNECTION_OK else { throw first ?? lost("the connection ended") }
        continue
      }
      let status = PQresultStatus(result)
      if status == PGRES_PIPELINE_SYNC {
        PQclear(result)
        break
      }
      if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
        last = PostgresRows(result)
        continue
      }
      if status != PGRES_PIPELINE_ABORTED, first == nil { first = fault(of: result) }
      PQclear(result)
      guard PQstatus(handle) == CONNECTION_OK else { throw first ?? lost("the connection ended") }
    }
    outstanding = 0
    defer { unconfirmed.removeAll(keepingCapacity: true) }
    if let first {
      for sql in unconfirmed { names[sql] = nil }
      throw first
    }
    return last
  }

  /// Sends what waits, and reads until a result is there.
  func awaitResult(until deadline: ContinuousClock.Instant) throws(StoreFault) {
    var isCancelled = false
    while true {
      let unsent = PQflush(handle)
      guard unsent >= 0 else { throw lost("the connection ended") }
      if unsent == 0, PQisBusy(handle) == 0 { return }
      var descriptor = pollfd(
        fd: PQsocket(handle), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
      let count = poll(&descriptor, 1, interruption == nil ? 1_000 : 20)
      if count > 0 {
        guard PQconsumeInput(handle) == 1 else { throw lost("the connection ended") }
      } else if count < 0, errno != EINTR {
        throw lost("the connection cannot be read")
      }
      if !isCancelled, interruption?() == true {
        isCancelled = true
        cancel()
      }
      if ContinuousClock.now > deadline {
        cancel()
        throw lost("no answer within \(patience)")
      }
    }
  }

  private func cancel() {
    guard let request = PQgetCancel(handle) else { return }
    var message = [CChar](repeating: 0, count: 256)
    _ = PQcancel(request, &message, 256)
    PQfreeCancel(request)
  }
}
