import CordonCollection
import CordonCore
import CordonIngest
import CordonStudies
import CordonSupport
import CordonWire

/// The server of forms and studies: the real cores with their real stores, on a disk of the test.
final class CollectionServer {
  /// The names in the runs.
  static let form = "visits"
  static let venue = VenueID("hall")

  let disk = TortureDisk(machine: 0)
  private let seed: UInt64
  private var restarts: UInt64 = 0
  private var desk: FormDesk?
  private var formErasure: FormErasure?
  private(set) var cases: SQLiteCaseStore?
  private(set) var alerts: SQLiteAlertStore?
  private(set) var service: StudyService?
  /// The time of its restart; `nil` while it runs.
  var downUntil: Int64?
  /// Devices that the store of positions has erased; they survive every process.
  private(set) var erased: Set<DeviceID> = []
  /// The beginnings of the times of later holders of devices, by number; they survive every process, as the store of positions.
  private var holders: [DeviceID: [Instant]] = [:]
  /// The beginnings of the times of the holders before whom everything of a device was erased.
  private var formerEnds: [DeviceID: Instant] = [:]

  init(seed: UInt64, now: Instant) throws {
    self.seed = seed
    try start(now)
  }

  var isUp: Bool { desk != nil }
  var isDead: Bool { disk.isDead }

  /// Opens the stores, as a start of the server does.
  func start(_ now: Instant) throws {
    restarts += 1
    let random = RandomStream(seed: seed, stream: 0xc1, entity: restarts)
    let desk = try FormDesk(
      store: try SQLiteFormStore(path: disk.path("forms.sqlite")), settings: FormSettings(), random: RandomBits(random))
    // A connection of its own, as in the server.
    let erasure = FormErasure(try SQLiteFormStore(path: disk.path("forms.sqlite")))
    try erasure.catchUp(at: now) { (device) throws(StoreFault) in ends(of: device) }
    let cases = try SQLiteCaseStore(path: disk.path("cases.sqlite"))
    let alerts = try SQLiteAlertStore(path: disk.path("alerts.sqlite"))
    let service = StudyService(
      store: try SQLiteStudyStore(path: disk.path("studies.sqlite")),
      vault: try SQLiteIdentityVault(
        path: disk.path("vault.sqlite"), key: [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: 32)),
      random: StudyRandom.seeded(RandomStream(seed: seed, stream: 0xc2, entity: restarts)))
    (self.desk, formErasure, self.service) = (desk, erasure, service)
    (self.cases, self.alerts) = (cases, alerts)
    downUntil = nil
  }

  /// Ends the process without closing anything properly.
  func die(until: Int64) {
    disk.kill(after: 0)
    end()
    downUntil = until
  }

  private func end() {
    (desk, formErasure, service) = (nil, nil, nil)
    (cases, alerts) = (nil, nil)
  }

  func restart(losingPower: Bool, powerSeed: UInt64, _ now: Instant) throws {
    end()
    disk.reboot(losingPower: losingPower, seed: powerSeed)
    try start(now)
  }

  // MARK: Forms

  /// A response to a request about forms.
  struct Answer {
    var status: Int
    var json: JSONValue
  }

  /// The role of an operator for a request.
  static func person(_ role: Operator.Role) -> FormSender {
    .operator(
      Operator(id: "op-\(role.rawValue)", everywhere: nil, roles: venue.map { [$0: role] } ?? [:], keyHash: []))
  }

  /// What of a device was erased, as the store of positions knows it.
  private func ends(of device: DeviceID) -> [DeviceEnd] {
    erased.contains(device) ? [.device] : formerEnds[device].map { [.holders(before: $0)] } ?? []
  }

  /// The beginning of the time of a device's holder.
  func since(_ device: DeviceID, holder: Int) -> Instant {
    holder == 0 ? .epoch : holders[device]?[holder - 1] ?? .epoch
  }

  /// Gives a device to somebody else, as a reset and an activation do.
  func handOn(_ device: DeviceID, now: Instant) { holders[device, default: []].append(now) }

  /// Returns the sender of a request of a copy: a collector by its key, or the present holder of a device that was not erased.
  /// - Parameter holder: the holder whose token the request carries; `nil` for the copy's present one.
  func sender(of copy: CollectionCopy, holder: Int? = nil, now: Instant) throws(Problem) -> FormSender {
    guard let desk else { throw Problem(503, .storeFailed, "the server is down") }
    switch copy.access {
    case .key(let key): return try desk.collector(key, peer: copy.name, now: now)
    case .token(let device, let venue):
      if erased.contains(device) { throw Problem(410, .erased, "the device was erased") }
      let present = holders[device]?.count ?? 0
      guard holder ?? copy.holder == present else { throw Problem(401, .tokenRevoked, "the token was revoked") }
      return .device(device, venue, since: since(device, holder: present))
    }
  }

  /// Answers a request of a checked sender; `nil` when the server is down, or dies of it.
  func answer(
    _ method: String, _ target: String, _ body: [UInt8] = [], as sender: FormSender, now: Instant
  ) -> Answer? {
    guard let desk else { return nil }
    let request = IngestRequest(method, target, body: body, peer: "copy")
    guard case .route(let route, let names) = FormRoute.find(method, request.path) else {
      return Answer(status: 404, json: .null)
    }
    let response: IngestResponse
    do throws(Problem) {
      let call = FormCall(route: route, names: names, sender: sender, request: request)
      _ = try desk.access(of: call, now: now)
      let answer = try desk.answer(call, now: now)
      // As the shell does: the device may have been erased since its token was checked.
      if case .device(let device, _, let since) = sender, route == .sync {
        let isRevoked = since != self.since(device, holder: holders[device]?.count ?? 0)
        if isRevoked || erased.contains(device) {
          for end in ends(of: device) { try desk.forget(device, end, now: now) }
          throw erased.contains(device)
            ? Problem(410, .erased, "the device was erased") : Problem(401, .tokenRevoked, "the token was revoked")
        }
      }
      response = answer
    } catch {
      response = error.response
    }
    if isDead { return nil }
    return Answer(status: response.status, json: (try? JSONReader.value(of: response.body)) ?? .null)
  }

  /// Erases a part of a device's data, as the core does: cases and rules first, then the followers.
  private func forget(_ device: DeviceID, _ end: DeviceEnd, now: Instant) -> Bool {
    guard let formErasure, let cases, let alerts else { return false }
    do throws(StoreFault) {
      try cases.forget(device, end)
      try alerts.forget(device, end)
      try formErasure.forget(device, end, at: now)
    } catch {
      return false
    }
    return !isDead
  }

  /// Erases a device, as the core does, and then the device itself. Returns whether it succeeded.
  func erase(_ device: DeviceID, now: Instant) -> Bool {
    guard forget(device, .device, now: now) else { return false }
    erased.insert(device)
    return true
  }

  /// Erases what the holders of a device up to one brought, as the core does. Returns whether it succeeded.
  func eraseHolders(_ device: DeviceID, upTo holder: Int, now: Instant) -> Bool {
    let end = since(device, holder: holder + 1)
    guard forget(device, .holders(before: end), now: now) else { return false }
    formerEnds[device] = max(formerEnds[device] ?? end, end)
    return true
  }

  /// The work that no request asks for. Throws when the disk is full or the process died.
  func tick(now: Instant) throws {
    while try desk?.tick(now: now) ?? false {}
    _ = try cases?.expire(before: .epoch)
    try alerts?.expire(before: .epoch)
    _ = try service?.expire(now: now)
  }
}

extension StudyRandom {
  /// Random bytes of a stream.
  static func seeded(_ stream: RandomStream) -> StudyRandom {
    let source = SeededBytes(stream)
    return StudyRandom { source.bytes($0) }
  }
}

/// Random bytes of a stream.
///
/// `@unchecked Sendable` holds because a run makes its own source and uses it on the one thread of the run.
private final class SeededBytes: @unchecked Sendable {
  private var random: RandomBits

  init(_ stream: RandomStream) { random = RandomBits(stream) }

  func bytes(_ count: Int) -> [UInt8] { random.bytes(count) }
}
