import ArgumentParser
import Cordon
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonPresence
import CordonSupport
import CordonTracking
import CordonWire
import Foundation

/// A command for a running tracker, or for its store if no tracker runs.
protocol ControlSubcommand: AsyncParsableCommand {
  var options: TrackerOptions { get }
  var output: JSONOption { get }
  var command: ControlCommand { get throws }
  /// The maximum wait for a server's answer. Unfinished work continues at the next run.
  var patience: TimeSpan { get }
}

extension ControlSubcommand {
  var patience: TimeSpan { .zero }

  func run() async throws {
    let reply = try await options.load().carryOut(try command, within: patience)
    try reply.print(Self._commandName, asJSON: output.json)
  }
}

extension TrackerConfiguration {
  /// Sends a command to the running tracker, or performs it on the store if no tracker runs.
  ///
  /// A tracker that has just started has the store, and does not listen yet: the command waits for it, five seconds at most.
  func carryOut(_ command: ControlCommand, within patience: TimeSpan) async throws -> Reply {
    let clock = SystemClock()
    var attempts = 0
    while true {
      do {
        return try await carryOutNow(command, within: patience)
      } catch let error as TrackerError where error.code == "busy" && attempts < 50 {
        if attempts == 0 { Printer.note("cordon-track: another process has the store; waiting for it") }
        attempts += 1
        try await clock.sleep(for: .milliseconds(100))
      }
    }
  }

  private func carryOutNow(_ command: ControlCommand, within patience: TimeSpan) async throws -> Reply {
    let path = try storePath()
    #if os(Linux)
      if let answer = ControlSocket.ask(store: path, command.line) { return Reply(answer) }
    #endif
    guard command.makesStore || FileManager.default.fileExists(atPath: path) else {
      throw TrackerError("not-found", "no store yet; record the consent: cordon-track consent VERSION", file: path)
    }
    // An activation needs the venue; other commands must not fail because of an unreadable map.
    let known = try? await TrackerVenues(Array(venues.prefix(1)), folder: venueFolder)
    if case .activate = command, await known?.gates.isEmpty == true { _ = await known?.ask() }
    let monitor = try self.monitor(venue: await known?.gates.first, provider: ReplayProvider([]))
    _ = await command.carryOut(on: monitor)
    if patience > .zero { await monitor.drain(within: patience) }
    let status = await monitor.status
    return Reply(status, isRunning: false)
  }
}

extension ControlCommand {
  /// Whether the command is valid without an existing store.
  fileprivate var makesStore: Bool {
    switch self {
    case .status, .export, .acknowledge, .personPage, .checkInForm: false
    default: true
    }
  }
}

/// The answer of a tracker.
struct Reply {
  private var members: [JSONValue.Member]
  private var text: String
  private var signIns: [JSONValue] = []

  init(_ status: MonitorStatus, isRunning: Bool) {
    members = [.init("is_running", .bool(isRunning))] + status.members
    text = Reply.text(
      isRunning: isRunning,
      consent: status.consent.map { "\($0.version) (\($0.purposes.names.joined(separator: ", ")))" },
      sentence: isRunning || status.consent == nil ? status.reportedSentence : "The tracker does not run.",
      remedy: isRunning || status.consent == nil ? status.reportedRemedy : "Start it: cordon-track -c FILE.",
      onPhone: Int(clamping: status.accounting.onPhone), stored: Int(clamping: status.accounting.stored),
      acknowledged: Int(clamping: status.accounting.acknowledged),
      refused: Int(clamping: status.accounting.quarantined), refusal: status.lastQuarantine,
      erasures: status.pendingErasures,
      notices: status.notices.map { $0.json(at: status.time) })
  }

  /// Creates a reply from the line of a running tracker.
  init(_ line: String) {
    let values = (try? JSONReader.value(of: Array(line.utf8))) ?? .null
    members = values.members ?? []
    let consent = values["consent"]
    let purposes = consent?["purposes"]?.elements?.compactMap(\.stringValue) ?? []
    func count(_ key: String) -> Int { Int(clamping: values[key]?.integerValue ?? 0) }
    text = Reply.text(
      isRunning: true,
      consent: consent?["version"]?.stringValue.map { "\($0) (\(purposes.joined(separator: ", ")))" },
      sentence: values["sentence"]?.stringValue ?? "", remedy: values["remedy"]?.stringValue,
      onPhone: count("on_phone"), stored: count("stored"), acknowledged: count("acknowledged"),
      refused: count("quarantined"), refusal: values["last_refusal"]?.stringValue,
      erasures: count("pending_erasures"), notices: values["notices"]?.elements ?? [])
  }

  /// The line for ``init(_:)-(String)``.
  var line: String { JSONValue.object(members).text() }

  /// Adds the state of the sign-in of a sink.
  mutating func add(signIn sink: UInt8, isSignedIn: Bool, until end: Instant?) {
    let time = end.map { " (token until \($0.rfc3339))" } ?? ""
    text +=
      "sign-in of sink \(sink): \(isSignedIn ? "signed in\(time)" : "none; cordon-track sign-in --sink-number \(sink)")\n"
    signIns.append(
      [
        "sink": .integer(Int64(sink)), "is_signed_in": .bool(isSignedIn),
        "token_end_ms": end.map { .integer($0.milliseconds) } ?? .null,
      ])
  }

  /// The state in a sentence, and its remedy.
  var sentence: String { members.first { $0.key == "sentence" }?.value.stringValue ?? "" }
  var remedy: String? { members.first { $0.key == "remedy" }?.value.stringValue }

  /// The version of the consent and its purposes; `nil` without one.
  var consentText: String? {
    let consent = members.first { $0.key == "consent" }?.value
    let purposes = consent?["purposes"]?.elements?.compactMap(\.stringValue) ?? []
    return consent?["version"]?.stringValue.map { "\($0) (\(purposes.joined(separator: ", ")))" }
  }

  /// The purposes of the consent; none without one.
  var purposes: Consent.Purposes {
    let consent = members.first { $0.key == "consent" }?.value
    let names = consent?["purposes"]?.elements?.compactMap(\.stringValue) ?? []
    return [Consent.Purposes.record, .share, .everywhere].filter { $0.names.allSatisfy(names.contains) }
      .reduce([]) { $0.union($1) }
  }

  /// Whether a running tracker answered.
  var isRunning: Bool { members.contains { $0.key == "is_running" && $0.value == .bool(true) } }

  /// Returns whether the status lists an exposure notice.
  func lists(notice number: Int64) -> Bool {
    let notices = members.first { $0.key == "notices" }?.value.elements ?? []
    return notices.contains { $0["number"]?.integerValue == number }
  }

  /// The name of the device.
  var device: DeviceID? { members.first { $0.key == "device" }?.value.stringValue.flatMap { DeviceID($0) } }

  /// Whether a consent is in force.
  var hasConsent: Bool { members.contains { $0.key == "consent" && $0.value != .null } }

  func print(_ name: String, asJSON: Bool, trip: TripFile? = nil) throws {
    guard asJSON else {
      let since = trip.map { "trip: \($0.mode.rawValue), since \(Instant(milliseconds: $0.start).rfc3339)\n" }
      return try Printer.write(lines: text + (since ?? ""))
    }
    let members =
      members + (signIns.isEmpty ? [] : [.init("sign_ins", .array(signIns))])
      + (trip.map { [.init("trip", .string($0.mode.rawValue))] } ?? [])
    try Printer.print("track-\(name)", members)
  }

  private static func text(
    isRunning: Bool, consent: String?, sentence: String, remedy: String?, onPhone: Int, stored: Int, acknowledged: Int,
    refused: Int, refusal: String?, erasures: Int, notices: [JSONValue]
  ) -> String {
    var text = sentence + "\n"
    if let remedy { text += "  -> \(remedy)\n" }
    text += "consent: \(consent ?? "none")\n"
    text += "locations: \(stored) stored, \(acknowledged) acknowledged, \(onPhone) waiting\n"
    if refused > 0 { text += "refused for good: \(refused)\(refusal.map { " (\(printable($0)))" } ?? "")\n" }
    if erasures > 0 { text += "erasure: \(erasures) not confirmed yet; the next run asks again\n" }
    for notice in notices {
      let isNew = notice["status"]?.stringValue == "received"
      text += "notice \(notice["number"]?.integerValue ?? 0), \(notice["day"]?.stringValue ?? ""): "
      text += "\(notice["text"]?.stringValue ?? "")\(isNew ? " (new)" : "")\n"
      let advice = printable(notice["advice"]?.stringValue ?? "")
      if !advice.isEmpty { text += "  \(advice)\n" }
    }
    return text
  }

  /// One line without control characters: the words come from a server.
  private static func printable(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}
