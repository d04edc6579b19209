package import Cordon
import CordonCore
import CordonMonitoring
import Foundation

/// A command to a tracker, running or not.
package enum ControlCommand: Codable, Hashable, Sendable {
  case status
  case consent(version: String, shares: Bool, everywhere: Bool = false)
  case withdraw
  /// Withdraws the consent to recording outside of venues, and deletes what was recorded there.
  case retractEverywhere
  /// A trip began or ended.
  case trip(isInProgress: Bool)
  case activate(code: String)
  /// The time in milliseconds; `nil` until it is resumed.
  case pause(for: Int64?)
  case resume
  case flush
  /// Removes the queue of a sink, which receives nothing more.
  case discard(sink: UInt8)
  /// Notes that the person acknowledged an exposure notice.
  case acknowledge(notice: Int64)
  /// Writes the person's data on this machine to a new file that only its owner can read. There is no file if that
  /// fails.
  case export(path: String)
  /// Requests a link to the page of the person at a server, and writes it to a new file that only its owner can read.
  /// Without a link, no file is made.
  case personPage(path: String)
  /// Requests a link to the form that the venue asks at check-in, and writes it as ``personPage(path:)`` does.
  case checkInForm(path: String)

  /// The command as a line.
  package var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Text and numbers can always be encoded.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Parses a line; `nil` if it is not a command.
  package init?(line: String) {
    guard let command = try? JSONDecoder().decode(ControlCommand.self, from: Data(line.utf8)) else { return nil }
    self = command
  }

  /// Performs the command and returns the status afterwards.
  package func carryOut(on monitor: ContactMonitor) async -> MonitorStatus {
    switch self {
    case .status: break
    case .consent(let version, let shares, let everywhere):
      var purposes: Consent.Purposes = shares ? [.record, .share] : [.record]
      if everywhere { purposes.insert(.everywhere) }
      // The command has validated the consent; the returned status shows whether it was accepted.
      try? await monitor.consent(to: Consent(version: version, purposes: purposes, time: monitor.now.wall))
    case .withdraw: await monitor.withdraw()
    case .retractEverywhere: await monitor.retract(.everywhere)
    case .trip(let isInProgress): await monitor.noteTrip(isInProgress: isInProgress)
    case .activate(let code): await monitor.activate(inviteCode: code)
    case .pause(let milliseconds):
      await monitor.pause(until: milliseconds.map { monitor.now.wall + TimeSpan(milliseconds: $0) })
    case .resume: await monitor.resume()
    case .flush: await monitor.flush()
    case .discard(let sink): await monitor.discard(queueOf: SinkID(number: sink))
    case .acknowledge(let notice): await monitor.acknowledge(notice)
    case .export(let path):
      if let bytes = try? await monitor.exportMyData() {
        _ = FileManager.default.createFile(
          atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
      }
    case .personPage(let path): ControlCommand.write(await monitor.personPage(), to: path)
    case .checkInForm(let path): ControlCommand.write(await monitor.checkInForm(), to: path)
    }
    return await monitor.status
  }

  private static func write(_ link: URL?, to path: String) {
    guard let link else { return }
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(link.absoluteString.utf8), attributes: [.posixPermissions: 0o600])
  }
}
