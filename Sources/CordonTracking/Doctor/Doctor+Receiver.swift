import Cordon
import CordonConsole
import CordonCore
import CordonGeometry
import CordonMonitoring
import Foundation

extension Doctor {
  /// Listens to gpsd until it reports a position or ``patience`` has passed.
  func receiverFindings(_ gates: [PackedVenueGate]) -> [DiagnosisFinding] {
    guard let (host, port) = configuration.gpsdAddress else {
      return [
        DiagnosisFinding(
          .failure, "receiver", "bad-address", "'\(configuration.gpsd)' is not an address of gpsd.",
          remedy: "Write HOST or HOST:PORT.")
      ]
    }
    #if os(Linux)
      let address = GPSDProvider.Address(host: host, port: port)
      var health = GPSDHealth()
      var fix: Fix?
      do throws(GPSDFailure) {
        let connection = try GPSDConnection(to: address)
        health.isConnected = true
        var epochs = GPSDEpochs()
        let end = Date().addingTimeInterval(patience.seconds)
        listening: while fix == nil, Date() < end {
          switch connection.next(within: 250) {
          case .line(let line):
            guard let report = try? GPSDReport(parsing: line) else { continue }
            health.note(report)
            fix = epochs.take(report)
          case .silence: fix = epochs.flush().first
          case .end: break listening
          }
        }
      } catch {
        health.failure = error.description
      }
      if let fix { return fixFindings(fix, health, gates) }
      let issue = health.issue
      return [
        DiagnosisFinding(
          .failure, "receiver", issue?.code ?? "no-report",
          issue?.sentence ?? "gpsd at \(address) reported no position.",
          remedy: issue?.remedy)
      ]
    #else
      return [DiagnosisFinding(.warning, "receiver", "no-gpsd", "gpsd at \(host):\(port) is only checked on Linux.")]
    #endif
  }

  private func fixFindings(_ fix: Fix, _ health: GPSDHealth, _ gates: [PackedVenueGate]) -> [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    let age = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) - fix.time
    if age < TimeSpan(milliseconds: -configuration.monitor.futureTolerance.milliseconds) || age > .minutes(2) {
      let way = age < .zero ? "ahead of" : "behind"
      let apart = TimeSpan(milliseconds: abs(age.milliseconds))
      findings.append(
        DiagnosisFinding(
          .failure, "receiver", "receiver-clock",
          "The receiver's time is \(apart) \(way) this machine's, so its positions are refused.",
          remedy: "Set the clock (chrony can use gpsd); an old receiver may be a multiple of 1024 weeks off."))
    }
    if let accuracy = fix.accuracy {
      let text = "\((accuracy * 10).rounded() / 10) m"
      if accuracy > configuration.monitor.maximumAccuracy {
        findings.append(
          DiagnosisFinding(
            .failure, "receiver", "too-inaccurate", "Positions are accurate to \(text) only, so they are refused.",
            remedy: "Give the antenna a view of the sky, or raise maximum_accuracy_m."))
      } else {
        findings.append(
          DiagnosisFinding(
            .ok, "receiver", "receiver", "gpsd \(health.release ?? "") reports positions accurate to \(text)."))
      }
    } else {
      findings.append(
        DiagnosisFinding(
          .failure, "receiver", "unknown-accuracy",
          "The receiver does not report the accuracy of its positions, so they are refused.",
          remedy: "Turn on its GSA and GSV (or GST) sentences."))
    }
    if fix.isMocked {
      findings.append(
        DiagnosisFinding(.failure, "receiver", "mocked", "gpsd is fed by a simulator.", remedy: "Connect a receiver."))
    }
    findings += placeFindings(fix, gates)
    return findings
  }

  /// Checks whether the device is in one of the venues. The finding contains only the distance, because positions
  /// outside are private. In the mode everywhere both places are recorded, so there is no finding.
  private func placeFindings(_ fix: Fix, _ venues: [PackedVenueGate]) -> [DiagnosisFinding] {
    guard configuration.monitor.everywhere == nil else { return [] }
    var nearest = Double.infinity
    var isNear = false
    for venue in venues {
      let point = LocalFrame(origin: venue.geofence.center).project(fix.coordinate)
      let distance = (point.x * point.x + point.y * point.y).squareRoot()
      nearest = min(nearest, distance)
      if distance <= venue.geofence.radius {
        if venue.judge(fix.coordinate, floor: nil).isInside { return [] }
        isNear = true
      }
    }
    if isNear {
      return [
        DiagnosisFinding(
          .ok, "receiver", "not-inside", "The device is near the venue, but not in it, so nothing is recorded.")
      ]
    }
    guard nearest.isFinite else { return [] }
    let way = venues.count > 1 ? "the nearest venue" : "the venue"
    return [
      DiagnosisFinding(
        .ok, "receiver", "not-here",
        "The device is \(Int(min(nearest, 1e9) / 100) * 100) m from the middle of \(way), so nothing is recorded.")
    ]
  }
}
