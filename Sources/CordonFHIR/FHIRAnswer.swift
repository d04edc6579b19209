package import CordonSupport
import CordonWire

/// The answer to a batch: one outcome for each entry, in the order of the request.
package enum FHIRAnswer {
  /// The outcome of one entry.
  package enum Outcome: Hashable, Sendable {
    /// The server created the Observation.
    case created
    /// The server had the Observation before.
    case existing
    /// The server will never accept the contents; the text is the server's.
    case refused(String)
    /// The server refuses the entry for now, without a judgement of its contents.
    case failed(status: Int, String)
    /// The person has not consented to this type of data at the platform.
    case noConsent(String)
  }

  /// Reads the answer to a batch.
  /// - Parameters:
  ///   - body: the body of a success.
  ///   - identifiers: the UUIDs of the entries that were sent, in their order.
  /// - Throws: an error when the body is not a `batch-response` with one entry for each that was sent. Then no entry has an
  ///   outcome.
  package static func read(_ body: [UInt8], identifiers: [String]) throws(FHIRError) -> [Outcome] {
    guard let value = try? JSONReader.value(of: body) else {
      throw FHIRError("answer", "is not JSON")
    }
    guard value["resourceType"]?.stringValue == "Bundle" else {
      let type = value["resourceType"]?.stringValue == "OperationOutcome" ? "an OperationOutcome" : "not a Bundle"
      throw FHIRError("answer.resourceType", "is \(type)" + (issueText(of: value).map { ": \($0)" } ?? ""))
    }
    guard value["type"]?.stringValue == "batch-response" else {
      throw FHIRError("answer.type", "is not batch-response")
    }
    let entries = value["entry"]?.elements ?? []
    guard entries.count == identifiers.count else {
      throw FHIRError("answer.entry", "has \(entries.count) elements for \(identifiers.count) entries")
    }
    var outcomes: [Outcome] = []
    for (index, entry) in entries.enumerated() {
      guard let text = entry["response"]?["status"]?.stringValue, let status = Int(text.prefix(3)),
        (100...599).contains(status)
      else { throw FHIRError("answer.entry[\(index)].response.status", "is not a status of HTTP") }
      outcomes.append(outcome(status, entry["response"]?["outcome"], identifiers[index]))
    }
    return outcomes
  }

  private static func outcome(_ status: Int, _ details: JSONValue?, _ identifier: String) -> Outcome {
    let text = details.flatMap(issueText) ?? "status \(status)"
    switch status {
    case 201: return .created
    case 200: return .existing
    // The conditional creation found several, so there is one.
    case 412: return .existing
    // Only a conflict that names the identifier is about a copy.
    case 409 where isDuplicate(details, identifier): return .existing
    case 400, 413, 422: return .refused(text)
    case 403: return .noConsent(text)
    default: return .failed(status: status, text)
    }
  }

  private static func isDuplicate(_ details: JSONValue?, _ identifier: String) -> Bool {
    let issues = details?["issue"]?.elements ?? []
    return issues.contains { issue in
      issue["code"]?.stringValue == "duplicate" || rawText(of: issue)?.contains(identifier) == true
    }
  }

  /// Returns the text of the first issue of an OperationOutcome: at most 200 characters, without control characters; `nil`
  /// without one.
  package static func issueText(of outcome: JSONValue) -> String? {
    for issue in outcome["issue"]?.elements ?? [] {
      if let text = rawText(of: issue) ?? issue["code"]?.stringValue {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.controlsTerminal }.prefix(200)))
        if !plain.isEmpty { return plain }
      }
    }
    return nil
  }

  private static func rawText(of issue: JSONValue) -> String? {
    issue["diagnostics"]?.stringValue ?? issue["details"]?["text"]?.stringValue
  }
}
