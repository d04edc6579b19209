import CordonCore
import CordonIngest
import CordonMonitoring
import Foundation

/// The exposure notices that an operator made.
struct TortureNotices {
  /// The time between two rounds of notices, in milliseconds.
  static let interval: Int64 = 20 * 60_000

  /// The time of the next round.
  var next: Int64 = 11 * 60_000
  /// The number of rounds.
  var rounds = 0
  /// The first word of the advice of every notice that was ever made, by device and number.
  private(set) var made: [DeviceID: [Int64: String]] = [:]

  mutating func note(_ notices: [CaseNotice]) {
    for notice in notices { made[notice.device, default: [:]][notice.number] = String(notice.advice.prefix(8)) }
  }

  /// Whether an operator made this notice for this device.
  func has(_ notice: ExposureNotice, for device: DeviceID) -> Bool {
    made[device]?[notice.id] == String(notice.advice.prefix(8))
  }

  /// The eight bytes with which the advice of a notice begins, as a file holds them.
  static func pattern(_ notice: ExposureNotice) -> UInt64 {
    notice.advice.utf8.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension TortureRun {
  /// An operator makes a case and notices to all devices that there ever were; the server leaves out those that it does not know.
  func makeNotices() {
    notices.next = now + TortureNotices.interval
    // By a clock that is behind, a notice may be older than its device's holder, who then does not get it.
    guard !isCalm, serverLag == 0, server.isUp, !server.isDead,
      let index = phones.lazy.compactMap({ $0.seen?.device }).first
    else { return }
    notices.rounds += 1
    let word = "N" + String(repeating: "0", count: max(0, 7 - "\(notices.rounds)".count)) + "\(notices.rounds)"
    notices.note(
      server.notify(phones.flatMap { $0.names.sorted() }, index: index, advice: "\(word) Please call.", serverTime))
  }

  /// The notices to a phone that have not arrived, or whose acknowledgement has not.
  func missingNotices(of phone: TorturePhone) -> [Int64] {
    // A device that was freed or restored has another holder than the notices before that.
    guard let runtime = phone.process?.runtime, !hasRestored, !freed.contains(runtime.device) else { return [] }
    let held = runtime.exposureNotices(at: .epoch)
    // A store in memory never fails.
    let sent = (try? server.cases.notices(to: runtime.device, now: serverTime)) ?? []
    return sent.filter { notice in
      guard let known = held.first(where: { $0.id == notice.number }) else { return true }
      return !known.isAcknowledgementSent || notice.acknowledged == nil
    }.map(\.number)
  }

  /// Checks at the end that every notice arrived, and that none is left of an erased device.
  func checkNotices() {
    for phone in phones {
      guard let runtime = phone.process?.runtime else { continue }
      let missing = missingNotices(of: phone)
      if !missing.isEmpty { phone.fail(now, "notices never arrived, or their acknowledgement did not: \(missing)") }
      let held = runtime.exposureNotices(at: .epoch)
      for notice in held where !notices.has(notice, for: runtime.device) {
        phone.fail(now, "the phone keeps notice \(notice.id), which is not of this device")
      }
      for device in phone.withdrawn.union(erasedByServer).intersection(phone.names).sorted()
      where phone.proved.contains(device) && !freed.contains(device) {
        let left = (try? server.cases.notices(to: device, now: serverTime)) ?? []
        if !left.isEmpty { fail("the server keeps notices to \(device), which was erased") }
      }
      guard plan.storage == .sqlite else { continue }
      let kept = Set(held.map(TortureNotices.pattern))
      var scanner = ByteScanner()
      for pattern in phone.noticePatterns where !kept.contains(pattern) { scanner.add(pattern) }
      phone.disk.forEachFile { bytes in
        let found = scanner.found(in: bytes).patterns
        if found > 0 { phone.fail(now, "the file still has \(found) notices of a device that was erased") }
      }
    }
  }
}

extension TorturePhone {
  /// Checks a notice that the runtime reports.
  func check(arrived notice: ExposureNotice, _ now: Int64) {
    guard let device = seen?.device else { return }
    noticePatterns.insert(TortureNotices.pattern(notice))
    if !arrivedNotices.insert(notice.id).inserted { fail(now, "notice \(notice.id) arrives twice") }
    if !hasConsent || withdrawn.contains(device) { fail(now, "notice \(notice.id) arrives at an erased device") }
    if !isMadeNotice(notice, device) { fail(now, "notice \(notice.id) arrives, which no operator made for \(device)") }
  }

  /// The person acknowledges all notices.
  func acknowledgeNotices(_ now: Int64) {
    guard let process, !arrivedNotices.isEmpty else { return }
    for notice in process.runtime.exposureNotices(at: .epoch) where notice.acknowledged == nil {
      send(now, .acknowledge(notice.id))
    }
  }
}

extension TortureServer {
  /// Makes a case and its notices; returns those that the server made.
  func notify(_ devices: [DeviceID], index: DeviceID, advice: String, _ now: Instant) -> [CaseNotice] {
    let body = #"{"venue":"\#(venue)","device":"\#(index)","label":"test","reason":"test"}"#
    guard let answer = administer("POST", "/v1/operator/cases", body: body, now), answer.status == 201,
      let members = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
      let number = members["number"] as? Int
    else { return [] }
    let list = devices.map { #""\#($0.rawValue)""# }.joined(separator: ",")
    _ = administer(
      "POST", "/v1/operator/cases/\(number)/notices",
      body: #"{"reason":"test","advice":"\#(advice)","devices":[\#(list)]}"#, now)
    return (try? cases.notices(of: Int64(number))) ?? []
  }
}
