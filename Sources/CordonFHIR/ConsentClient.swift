package import Cordon
import CordonCore
package import Foundation

/// Fetches, grants and revokes the consents of a person at a platform.
package struct ConsentClient: Sendable {
  /// The address of the consents.
  package let address: URL
  private let patient: String
  private let transport: any HTTPTransport
  private let token: @Sendable () async throws -> String?

  /// Makes a client.
  /// - Parameters:
  ///   - base: the base of the FHIR server, such as `https://exchange.example.org/FHIR/R5/`. The consents are at `/api/v1` of
  ///     the same host, below the same prefix.
  ///   - target: the person.
  ///   - transport: sends the requests.
  ///   - token: returns the access token; `nil` for a server without one.
  /// - Throws: an error when the base has no `/FHIR/`.
  package init(
    base: URL, target: FHIRTarget, transport: any HTTPTransport,
    token: @escaping @Sendable () async throws -> String?
  ) throws(FHIRError) {
    var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    guard let path = parts?.path, let end = path.range(of: "/FHIR/")?.lowerBound else {
      throw FHIRError("url", "has no /FHIR/, so that the consents of the platform are not known")
    }
    parts?.path = path[..<end] + "/api/v1/patients/\(target.patient)/consents"
    parts?.query = nil
    guard let url = parts?.url else { throw FHIRError("url", "is not an address") }
    address = url
    patient = target.patient
    self.transport = transport
    self.token = token
  }

  /// Fetches the consents.
  package func fetch() async throws -> PlatformConsents {
    let answer = try await send(HTTPRequest(method: "GET", url: address, headers: ["accept": "application/json"]))
    return try PlatformConsents(decoding: answer.body, patient: patient)
  }

  /// Makes the decision about a type of data the same in every study, and returns the consents afterwards.
  /// - Throws: an error when the platform did not confirm the decision.
  package func decide(_ isGranted: Bool, _ type: FHIRDataType) async throws -> PlatformConsents {
    let before = try await fetch()
    if isGranted, !before.isRequested(type) {
      throw FHIRError("consents", "no study of the person asks for \(type.code)")
    }
    let changes = before.changes(to: isGranted, of: type, at: address)
    if changes.isEmpty { return before }
    for change in changes { _ = try await send(change) }
    // The platform's own list is the confirmation: anything on the way can answer a change with 200.
    let after = try await fetch()
    guard after.changes(to: isGranted, of: type, at: address).isEmpty else {
      throw FHIRError("consents", "the platform did not take over the decision")
    }
    return after
  }

  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    if let token = try await token() { request.headers["authorization"] = "Bearer \(token)" }
    let answer = await transport.send(request)
    switch answer.status {
    case 200..<300: return answer
    case 0: throw FHIRError("consents", answer.failure ?? "no answer")
    case 401: throw FHIRError("consents", "the platform does not accept the token")
    case 403: throw FHIRError("consents", "the platform refuses the person of the token")
    default: throw FHIRError("consents", "the platform answered with status \(answer.status)")
    }
  }
}
