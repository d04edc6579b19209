import CordonCore
package import CordonFHIR
import Foundation

/// The person's decisions about types of data, in a file beside the store.
package struct TrackerConsents: Sendable {
  /// The file.
  package let path: String

  /// Makes the consents of a store.
  package init(store: String) { path = store + ".consents" }

  /// Reads the decisions; none without a file.
  package func read() throws(TrackerError) -> ConsentLedger {
    guard let data = FileManager.default.contents(atPath: path) else { return ConsentLedger() }
    do throws(FHIRError) {
      return try ConsentLedger(decoding: Array(data))
    } catch {
      throw TrackerError("bad-consents", error.reason, file: path, place: error.place)
    }
  }

  /// Writes the decisions. A crash leaves the old or the new file.
  package func write(_ ledger: ConsentLedger) throws(TrackerError) {
    let fresh = path + ".new"
    let manager = FileManager.default
    guard
      manager.createFile(
        atPath: fresh, contents: Data(ledger.encoded()), attributes: [.posixPermissions: 0o600]),
      rename(fresh, path) == 0
    else { throw TrackerError("cannot-write", "the decisions cannot be written", file: path) }
  }

  /// Informs the platforms of decisions that they have not confirmed.
  /// - Parameters:
  ///   - client: the client of a sink; `nil` for one that is not configured any more.
  /// - Returns: a sentence for each platform that did not confirm.
  package func report(_ client: @Sendable (UInt8) -> ConsentClient?) async throws -> [String] {
    var remarks: [String] = []
    for entry in try read().entries where !entry.isConfirmed {
      guard let client = client(entry.sink) else { continue }
      do {
        _ = try await client.decide(entry.isGranted, entry.type)
        var ledger = try read()
        ledger.confirm(entry)
        try write(ledger)
      } catch {
        remarks.append(
          "the platform of sink \(entry.sink) has not confirmed the decision about \(entry.type.code): \(error)")
      }
    }
    return remarks
  }
}

extension PlatformConsents {
  /// The lines that a person reads about a type of data: each study, what it asks for, and the decision.
  package func lines(about type: FHIRDataType? = nil) -> [String] {
    studies.flatMap { study in
      study.scopes.filter { scope in
        type.map { scope.system == FHIRDataType.system && scope.code == $0.code } ?? true
      }.map { scope in
        let decision =
          switch scope.isGranted {
          case true?: "granted"
          case false?: "revoked"
          case nil: "undecided"
          }
        let time = scope.time.map { " on \($0.rfc3339.prefix(10))" } ?? ""
        return "\(study.name): \(scope.text) (\(scope.code)), \(decision)\(time)"
      }
    }
  }
}
