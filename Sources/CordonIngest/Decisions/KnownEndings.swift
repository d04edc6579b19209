package import CordonCore

/// The decisions of a log about data outside of the store: erased devices, and records of forms and participants of studies that
/// ended. A restore of such data leaves them out.
package struct KnownEndings: Sendable {
  private var subjects: Set<[UInt8]> = []
  private var formerHolders: [[UInt8]: [DeviceEnd]] = [:]
  private let pseudonyms: Pseudonyms

  /// Reads a log, and checks all of it.
  /// - Throws: ``StoreFault/Kind/corrupt`` for a log that is damaged, or was made with other keys.
  package init(log path: String, pseudonyms: Pseudonyms) throws(StoreFault) {
    self.pseudonyms = pseudonyms
    for record in try DecisionLog.read(path, pseudonyms).records {
      guard let subject = record.decision.subject else { continue }
      switch record.decision.kind {
      case .erasure, .ending: subjects.insert(subject)
      case .formerErasure:
        guard let since = record.decision.since else { continue }
        formerHolders[subject, default: []].append(
          .holders(before: Instant(milliseconds: since), receivedUntil: record.decision.time))
      default: break
      }
    }
  }

  /// Whether a device was erased.
  package func contains(_ device: DeviceID) -> Bool { subjects.contains(pseudonyms.device(device)) }

  /// What of a device was erased, in the order of the decisions: the whole device, or what its former holders brought.
  package func ends(of device: DeviceID) -> [DeviceEnd] {
    let subject = pseudonyms.device(device)
    return subjects.contains(subject) ? [.device] : formerHolders[subject] ?? []
  }

  /// Whether something outside of the store ended.
  /// - Parameter name: as it was noted, such as ``name(ofRecord:)``.
  package func contains(_ name: String) -> Bool { subjects.contains(pseudonyms.ending(name)) }

  /// The name under which the erasure of a record of a form is noted.
  package static func name(ofRecord record: String) -> String { "record \(record)" }
  /// The name under which the erasure of a participant of a study is noted.
  package static func name(ofErased participant: String) -> String { "participant \(participant)" }
  /// The name under which it is noted that a participant left a study.
  package static func name(ofLeft participant: String) -> String { "left \(participant)" }
}
