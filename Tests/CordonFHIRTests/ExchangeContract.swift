import Cordon
import Foundation

/// Answers that a JupyterHealth Exchange gave (commit 0339e9ed of August 2026, recorded on 2026-11-26), and a server that
/// gives them again. Its path is `/FHIR/R5/`.
enum ExchangeContract {
  static let created = #"{"resource":{"resourceType":"Resource","id":"60010"},"response":{"status":"201 Created"}}"#
  static let notConsented = failed(
    "403 Forbidden",
    "Observation data with coding_system=https://w3id.org/openmhealth coding_code=omh:geoposition:1.0 has not been consented for any studies by this Patient."
  )
  static let wrongPatient = failed("403 Forbidden", "The Subject Patient does not match the current user.")
  static let unknownDevice = failed("400 Bad Request", "Device Data Source id=1 can not be found.")
  static let badContents = failed(
    "422 Unprocessable Entity", #"{'omh_data': [\"1 is not of type 'object'\"]}"#)

  static func existing(_ identifier: String) -> String {
    failed("409 Conflict", "Identifier already exists: system=urn:ietf:rfc:3986 value=\(identifier)")
  }

  static func failed(_ status: String, _ text: String) -> String {
    #"{"response":{"status":"\#(status)","outcome":{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"processing","diagnostics":"\#(text)"}]}}}"#
  }

  static func batch(_ entries: [String]) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["content-type": "application/json"],
      body: Array(
        #"{"resourceType":"Bundle","type":"batch-response","entry":[\#(entries.joined(separator: ","))]}"#.utf8))
  }

  /// It does not accept the media type of FHIR in a request.
  static let unsupported = HTTPResponse(
    status: 415, body: Array(#"{"detail":"Unsupported media type \"application/fhir+json\" in request."}"#.utf8))
  static let noToken = HTTPResponse(
    status: 401, body: Array(#"{"detail":"Authentication credentials were not provided."}"#.utf8))
}

/// A JupyterHealth Exchange by its recorded contract: unique identifiers, consents, and no media type of FHIR.
actor ExchangeModel: HTTPTransport {
  private(set) var stored: [String] = []
  private(set) var requests = 0
  private var isConsented: Bool
  /// The identifiers whose contents the server refuses.
  private var refused: Set<String> = []
  /// Whether the connection breaks after the server stored a batch.
  private var losesNextAnswer = false

  init(isConsented: Bool = true) { self.isConsented = isConsented }

  func consent(_ isGiven: Bool) { isConsented = isGiven }
  func refuse(_ identifiers: [String]) { refused.formUnion(identifiers) }
  func loseNextAnswer() { losesNextAnswer = true }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    guard message.url.path.hasPrefix("/FHIR/R5") else { return HTTPResponse(status: 404) }
    guard message.headers["authorization"] == "Bearer secret" else { return ExchangeContract.noToken }
    guard message.headers["content-type"] == "application/json" else { return ExchangeContract.unsupported }
    requests += 1
    let bundle = try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
    let answers = (bundle?["entry"] as? [[String: Any]] ?? []).map { entry in
      let resource = entry["resource"] as? [String: Any]
      let name = (resource?["identifier"] as? [[String: String]])?.first?["value"] ?? ""
      guard isConsented else { return ExchangeContract.notConsented }
      if stored.contains(name) { return ExchangeContract.existing(name) }
      if refused.contains(name) { return ExchangeContract.badContents }
      stored.append(name)
      return ExchangeContract.created
    }
    if losesNextAnswer {
      losesNextAnswer = false
      return .none
    }
    return ExchangeContract.batch(answers)
  }
}
