package import Cordon
package import CordonCore
import CordonSupport
import CordonWire
package import Foundation

/// A person's consents at a platform, study by study and scope by scope, as a JupyterHealth Exchange has them.
package struct PlatformConsents: Hashable, Sendable {
  /// A type of data that a study asks for.
  package struct Scope: Hashable, Sendable {
    /// The code system.
    package var system: String
    /// The code, such as `omh:geoposition:1.0`.
    package var code: String
    /// The text that the person reads.
    package var text: String
    /// The person's decision; `nil` when there is none yet.
    package var isGranted: Bool?
    /// The time of the decision.
    package var time: Instant?
  }

  /// A study that the person takes part in.
  package struct Study: Hashable, Sendable {
    /// The identifier at the platform.
    package var id: Int64
    /// The name.
    package var name: String
    /// The requested scopes, in the platform's order; undecided ones last.
    package var scopes: [Scope]
  }

  /// The studies, by their identifiers.
  package var studies: [Study]

  /// Reads the platform's answer.
  /// - Parameters:
  ///   - body: the body of a success.
  ///   - patient: the Patient of the request; an answer about another one is an error.
  package init(decoding body: [UInt8], patient: String) throws(FHIRError) {
    guard let value = try? JSONReader.value(of: body) else { throw FHIRError("consents", "is not JSON") }
    guard let id = value["patient"]?["id"] else { throw FHIRError("consents.patient.id", "is missing") }
    guard id.stringValue ?? id.integerValue.map(String.init) == patient else {
      throw FHIRError("consents.patient.id", "is another patient")
    }
    guard let decided = value["studies"]?.elements, let pending = value["studiesPendingConsent"]?.elements else {
      throw FHIRError("consents.studies", "is missing")
    }
    studies = []
    for (list, key, name) in [
      (decided, "scopeConsents", "studies"), (pending, "pendingScopeConsents", "studiesPendingConsent"),
    ] {
      for (index, entry) in list.enumerated() {
        guard let id = entry["id"]?.integerValue, let scopes = entry[key]?.elements else {
          throw FHIRError("consents.\(name)[\(index)]", "is not a study")
        }
        add(
          try scopes.map { scope throws(FHIRError) in try PlatformConsents.scope(scope, "\(name)[\(index)]") },
          to: id, name: entry["name"]?.stringValue ?? "")
      }
    }
    studies.sort { $0.id < $1.id }
  }

  private mutating func add(_ scopes: [Scope], to id: Int64, name: String) {
    if let index = studies.firstIndex(where: { $0.id == id }) {
      studies[index].scopes += scopes
    } else {
      studies.append(Study(id: id, name: name, scopes: scopes))
    }
  }

  private static func scope(_ value: JSONValue, _ place: String) throws(FHIRError) -> Scope {
    guard let system = value["code"]?["codingSystem"]?.stringValue, let code = value["code"]?["codingCode"]?.stringValue
    else { throw FHIRError("consents.\(place)", "has a scope without a code") }
    let isGranted: Bool? = if case .bool(let given)? = value["consented"] { given } else { nil }
    return Scope(
      system: system, code: code, text: value["code"]?["text"]?.stringValue ?? code, isGranted: isGranted,
      time: value["consentedTime"]?.stringValue.flatMap { try? Instant(rfc3339: $0) })
  }

  /// Whether the person granted a type of data to any study.
  package func isGranted(_ type: FHIRDataType) -> Bool {
    studies.contains { study in
      study.scopes.contains { $0.system == FHIRDataType.system && $0.code == type.code && $0.isGranted == true }
    }
  }

  /// Whether any study asks for a type of data.
  package func isRequested(_ type: FHIRDataType) -> Bool {
    studies.contains { $0.scopes.contains { $0.system == FHIRDataType.system && $0.code == type.code } }
  }

  /// Returns the requests that make the decision about a type of data the same in every study; none when it is already.
  ///
  /// The platform creates the first decision with `POST` and changes a later one with `PATCH`.
  package func changes(to isGranted: Bool, of type: FHIRDataType, at address: URL) -> [HTTPRequest] {
    var created: [JSONValue] = []
    var changed: [JSONValue] = []
    for study in studies {
      for scope in study.scopes where scope.system == FHIRDataType.system && scope.code == type.code {
        // Nothing was granted, so nothing is taken back.
        if scope.isGranted == isGranted || scope.isGranted == nil && !isGranted { continue }
        let entry: JSONValue = [
          "studyId": .integer(study.id),
          "scopeConsents": [
            ["codingSystem": .string(scope.system), "codingCode": .string(scope.code), "consented": .bool(isGranted)]
          ],
        ]
        if scope.isGranted == nil { created.append(entry) } else { changed.append(entry) }
      }
    }
    return [("POST", created), ("PATCH", changed)].compactMap { method, entries in
      if entries.isEmpty { return nil }
      let body: JSONValue = ["studyScopeConsents": .array(entries)]
      return HTTPRequest(
        method: method, url: address,
        headers: ["accept": "application/json", "content-type": "application/json"], body: Array(body.text().utf8))
    }
  }
}
