import Cordon
import CordonCore
import CordonIngest
import CordonSupport
import Foundation

/// The server: the real core with its real store, on a disk of the test or in memory. A store in memory survives the
/// process, except for the transaction that is open when it dies.
final class TortureServer {
  private let site: TortureSite
  private let seed: UInt64
  private let storage: TorturePlan.Storage
  let disk = TortureDisk(machine: 0)
  /// The disk of the backups.
  private let vault = TortureDisk(machine: 31)
  /// The index of the store's current place: a restore makes a new one beside the old one.
  private var place = 0
  /// The complete backups, the latest last.
  private var backups: [String] = []
  private var backupCount = 0
  /// The rows of a server without files.
  private let memory: MemoryPositionStore?
  /// Cases and notices; they survive the process.
  let cases = MemoryCaseStore()
  private let mortality = Mortality()
  private let signer = TortureSigner()
  private var ingest: Ingest?
  private var log: DecisionLog?
  private(set) var store: (any PositionStore)?
  private var restarts: UInt64 = 0
  private var keys: [TokenKey] = []
  private(set) var inviteCode = ""
  private static let operatorKey = "torture-operator-key"
  /// The time of its restart.
  var downUntil: Int64?

  /// The death and the memory limit of a machine without files, as ``TortureDisk`` has them for one with files.
  private final class Mortality {
    var writesLeft = Int64.max
    var isDead = false
    var isFull = false

    func meet(_ moment: MemoryPositionStore.Moment) throws(StoreFault) {
      if isDead { throw StoreFault(.failed, "the process is dead") }
      if writesLeft != .max {
        writesLeft -= 1
        if writesLeft <= 0 {
          isDead = true
          throw StoreFault(.failed, "the process died")
        }
      }
      if isFull, moment == .writing { throw StoreFault(.full, "no room") }
    }
  }

  init(site: TortureSite, seed: UInt64, storage: TorturePlan.Storage, now: Instant) throws {
    self.site = site
    self.seed = seed
    self.storage = storage
    if storage == .memory {
      let store = MemoryPositionStore()
      let mortality = mortality
      store.interruption = { moment throws(StoreFault) in try mortality.meet(moment) }
      memory = store
    } else {
      memory = nil
    }
    keys = [TokenKey(id: "k0", secret: Array(repeating: 7, count: 32))]
    try start()
    inviteCode = try makeInvite(now)
  }

  /// The venue.
  var venue: VenueID { site.id }

  var isUp: Bool { ingest != nil }

  /// Whether the machine is dead.
  var isDead: Bool { memory == nil ? disk.isDead : mortality.isDead }

  /// Lets the machine die at the `count`-th write from now.
  func kill(after count: Int64) {
    if memory == nil { disk.kill(after: count) } else { mortality.writesLeft = count }
  }

  func setFull(_ isFull: Bool) {
    if memory == nil { disk.setFull(isFull) } else { mortality.isFull = isFull }
  }

  func disarm() {
    disk.disarm()
    mortality.writesLeft = .max
  }

  func start() throws {
    restarts += 1
    let store: any PositionStore
    if let memory {
      store = memory
    } else {
      let file = try SQLitePositionStore(path: disk.path(storeName))
      let log = try DecisionLog(path: disk.path(logName), pseudonyms: pseudonyms, isNew: true)
      try Restoration.catchUp(file, with: log, pseudonyms: pseudonyms)
      file.record(in: log, pseudonyms: pseudonyms)
      self.log = log
      store = file
    }
    self.store = store
    ingest = Ingest(
      preprocessor: preprocessor(), store: store,
      random: RandomBits(RandomStream(seed: seed, stream: 0x73, entity: restarts)))
    ingest?.cases = cases
  }

  private var storeName: String { "server-\(place).sqlite" }
  private var logName: String { "decisions-\(place).sqlite" }
  private var serverKeys: ServerKeys { ServerKeys(tokens: keys, tombstone: Array(repeating: 9, count: 32)) }
  private var pseudonyms: Pseudonyms { Pseudonyms(signer: signer, keys: serverKeys) }

  private func preprocessor() -> RequestPreprocessor {
    var settings = IngestSettings()
    settings.findsContacts = seed % 8 == 0
    return RequestPreprocessor(
      settings: settings, catalog: VenueCatalog([ServedVenue(gate: site.gates[0])]), signer: signer,
      keys: serverKeys,
      operators: [Operator(id: "admin", role: .admin, key: Self.operatorKey)])
  }

  /// Makes new keys: all tokens become invalid.
  func rotateTokens(_ number: Int64) {
    keys = [TokenKey(id: "k\(number)", secret: Array(repeating: UInt8(truncatingIfNeeded: number), count: 32))]
    ingest?.replace(preprocessor())
  }

  /// Ends the process without closing anything properly.
  func die(until: Int64) {
    disk.kill(after: 0)
    memory?.rollback()
    ingest = nil
    store = nil
    log = nil
    downUntil = until
  }

  func restart(losingPower: Bool, powerSeed: UInt64) throws {
    ingest = nil
    store = nil
    log = nil
    disk.reboot(losingPower: losingPower, seed: powerSeed)
    mortality.isDead = false
    mortality.writesLeft = .max
    downUntil = nil
    try start()
  }

  // MARK: Backups

  /// Copies the store, as a nightly job does. A copy that a fault damages is discarded.
  func backUp() {
    guard ingest != nil, let file = store as? SQLitePositionStore else { return }
    backupCount += 1
    let name = "backup-\(backupCount % 3).sqlite"
    backups.removeAll { $0 == name }
    vault.remove(name)
    guard (try? file.backUp(to: vault.path(name), log: log)) != nil else { return }
    backups.append(name)
  }

  /// Replaces the store with a backup and the log of decisions.
  /// - Parameter age: the number of backups since; at most the oldest that remains.
  /// - Returns: the rows that are lost or whose stays are shorter; `nil` when nothing could be restored.
  func restore(age: Int) throws -> Set<FixID>? {
    guard ingest != nil, memory == nil, !backups.isEmpty else { return nil }
    let before = try allRows()
    let backup = backups[max(0, backups.count - 1 - age)]
    var sources = Restoration.Sources()
    sources.log = disk.path(logName)
    sources.store = disk.path(storeName)
    let new = 1 - place
    disk.remove("server-\(new).sqlite")
    disk.remove("decisions-\(new).sqlite")
    ingest = nil
    store = nil
    log = nil
    do {
      _ = try Restoration.make(
        store: disk.path("server-\(new).sqlite"), log: disk.path("decisions-\(new).sqlite"), from: vault.path(backup),
        sources: sources, pseudonyms: pseudonyms)
      disk.remove(storeName)
      disk.remove(logName)
      place = new
    } catch {
      guard error.kind == .full else { throw error }
      disk.remove("server-\(new).sqlite")
      disk.remove("decisions-\(new).sqlite")
      try start()
      return nil
    }
    try start()
    let after = try allRows()
    return Set(before.keys.filter { after[$0] != before[$0] })
  }

  private func allRows() throws -> [FixID: Int64?] {
    var rows: [FixID: Int64?] = [:]
    guard let store else { return rows }
    for venue in try store.venues() {
      for device in try store.devices(in: venue.id, prefix: "", after: "", limit: 10_000) {
        for row in try store.positions(of: device.number, after: nil, limit: .max) { rows[row.id] = row.stillUntil }
      }
    }
    return rows
  }

  /// Handles a message; `nil` when the server is down, or dies of it.
  func handle(_ message: HTTPRequest, peer: Int, now: Instant) -> HTTPResponse? {
    guard let ingest else { return nil }
    let fields = message.headers.sorted { $0.key < $1.key }.map { IngestRequest.Header($0.key, $0.value) }
    let request = IngestRequest(
      message.method, message.url.path, headers: fields, body: message.body, peer: "phone-\(peer)")
    let response = ingest.handle(request, now: now)
    if isDead { return nil }
    return HTTPResponse(
      status: response.status,
      headers: Dictionary(response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
      body: response.body)
  }

  func tick(_ now: Instant) {
    guard let ingest else { return }
    for _ in 0..<8 { guard ingest.tick(now: now) else { return } }
  }

  // MARK: Administration

  func administer(_ method: String, _ target: String, body: String = "", _ now: Instant) -> IngestResponse? {
    let credentials = Data("admin:\(Self.operatorKey)".utf8).base64EncodedString()
    let request = IngestRequest(
      method, target,
      headers: [.init("authorization", "Basic \(credentials)"), .init("content-type", "application/json")],
      body: Array(body.utf8), peer: "admin")
    return ingest?.handle(request, now: now)
  }

  private func makeInvite(_ now: Instant) throws -> String {
    let body = "{\"venue\":\"\(site.id)\",\"maximum_uses\":100000,\"expires\":\((now + .days(20)).milliseconds)}"
    let answer = administer("POST", "/v1/operator/invite-codes", body: body, now)
    guard let answer, answer.status == 201,
      let members = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
      let code = members["code"] as? String
    else {
      throw TortureError(
        "no invite code: \(answer.map { "\($0.status) \(String(decoding: $0.body, as: UTF8.self))" } ?? "no server")")
    }
    return code
  }

  /// Frees a device that lost its secret, as an administrator does on request.
  func setFree(_ device: DeviceID, _ now: Instant) {
    _ = administer("POST", "/v1/operator/devices/\(device)/reset", body: #"{"reason": "asked to"}"#, now)
  }

  /// Erases a device at the server; `true` when it existed.
  func erase(_ device: DeviceID, _ now: Instant) -> Bool {
    administer("DELETE", "/v1/devices/\(device)", body: #"{"reason": "asked to"}"#, now)?.status == 200
  }

  /// Returns the stored positions of a device.
  func positions(of device: DeviceID) throws -> [StoredPosition] {
    guard let store, let known = try store.device(device) else { return [] }
    var result: [StoredPosition] = []
    while true {
      let page = try store.positions(of: known.number, after: result.last?.id, limit: 5_000)
      result += page
      if page.count < 5_000 { return result }
    }
  }

  func knows(_ device: DeviceID) throws -> Bool { try store?.device(device) != nil }
}

/// HMAC-SHA-256 (RFC 2104). The part that is the same for every message of a key is computed once.
///
/// `@unchecked Sendable` holds because a run makes its own signer and uses it on the one thread of the run.
final class TortureSigner: TokenSigner, @unchecked Sendable {
  private var begun: [[UInt8]: (inner: SHA256, outer: SHA256)] = [:]

  func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var (inner, outer) = begin(key)
    inner.update(message)
    outer.update(inner.finalize())
    return outer.finalize()
  }

  private func begin(_ key: [UInt8]) -> (inner: SHA256, outer: SHA256) {
    if let known = begun[key] { return known }
    var block = key
    if block.count > 64 {
      var digest = SHA256()
      digest.update(key)
      block = digest.finalize()
    }
    block += Array(repeating: 0, count: 64 - block.count)
    var (inner, outer) = (SHA256(), SHA256())
    inner.update(block.map { $0 ^ 0x36 })
    outer.update(block.map { $0 ^ 0x5c })
    begun[key] = (inner, outer)
    return (inner, outer)
  }
}

/// A failure of the test itself.
struct TortureError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
