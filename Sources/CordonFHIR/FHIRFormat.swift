package import Cordon
package import CordonCore
package import CordonMonitoring
import CordonWire

/// A FHIR server that stores Observations, such as a JupyterHealth Exchange. The endpoint's URL is the base of the server, such
/// as `https://exchange.example.org/FHIR/R5/`.
///
/// Each entry of a batch has an answer of its own. An accepted entry is delivered, a refused one is quarantined with the
/// server's text, and one without consent waits: the sink sends its type of data again after an hour. Any other body, whatever
/// its status, has no effect.
package struct FHIRFormat: SinkFormat {
  /// The person, the device and the type of data.
  package var target: FHIRTarget

  /// Makes the format.
  package init(_ target: FHIRTarget) { self.target = target }

  /// `SinkID.fhir`.
  package var sinkID: SinkID { .fhir }
  /// `fhir`.
  package var name: String { "fhir" }
  /// The wait after an answer that the person has not consented to the type of data.
  package static let consentWait = TimeSpan.hours(1)

  /// A row and its Observations, in the order in which they are sent.
  private struct Part {
    var row: FixID
    var observations: [FHIRObservation]
    /// Whether the row waits for a later one.
    var isHeld = false
  }

  private func parts(of locations: [Location]) -> [Part] {
    switch target.dataType {
    case .geoposition:
      return locations.map { Part(row: $0.id, observations: FHIRObservation.positions(of: $0)) }
    case .timeInterval:
      // The rest of the last location may go on; a later location ends it.
      let last = locations.max { ($0.time, $0.id) < ($1.time, $1.id) }?.id
      return locations.map { location in
        if location.id == last { return Part(row: location.id, observations: [], isHeld: true) }
        return Part(row: location.id, observations: FHIRObservation.rest(of: location).map { [$0] } ?? [])
      }
    }
  }

  /// See `SinkFormat.message(for:at:)`.
  package func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    guard case .positions(let locations, _) = request.body else { return nil }
    let observations = parts(of: locations).flatMap(\.observations)
    if observations.isEmpty { return nil }
    var message = HTTPRequest(
      method: "POST", url: endpoint.bareURL,
      headers: ["accept": FHIRBundle.mediaType, "content-type": FHIRBundle.mediaType],
      body: FHIRBundle.encode(observations, for: target))
    if let authorization = endpoint.authorization { message.headers["authorization"] = authorization }
    return message
  }

  /// Sends the batch. A server that does not accept the media type of FHIR receives it once more as plain JSON.
  package func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse {
    guard case .positions(let locations, _) = request.body else {
      return SinkResponse(number: request.number, status: 0)
    }
    guard var message = message(for: request, at: endpoint) else {
      let rows = parts(of: locations).map { RowAnswer(id: $0.row, status: $0.isHeld ? .retry : .stored) }
      return SinkResponse(number: request.number, status: 200, body: .rows(rows))
    }
    var answer = await transport.send(message)
    if answer.status == 415 {
      message.headers["content-type"] = "application/json"
      answer = await transport.send(message)
    }
    return response(to: request, from: answer, at: endpoint)
  }

  /// See `SinkFormat.response(to:from:at:)`.
  package func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    guard case .positions(let locations, _) = request.body else { return response }
    guard (200..<300).contains(answer.status) else {
      if let outcome = try? JSONReader.value(of: answer.body), let text = FHIRAnswer.issueText(of: outcome) {
        response.fault = text
      }
      if answer.status == 403 {
        response.fault = response.fault ?? "the server refuses \(target.dataType.code)"
        response.retryAfter = max(response.retryAfter ?? .zero, FHIRFormat.consentWait)
      }
      return response
    }
    let parts = parts(of: locations)
    let outcomes: [FHIRAnswer.Outcome]
    do throws(FHIRError) {
      outcomes = try FHIRAnswer.read(answer.body, identifiers: parts.flatMap(\.observations).map(\.identifier))
    } catch {
      response.fault = error.description
      return response
    }
    judge(parts, outcomes, &response)
    return response
  }

  private func judge(_ parts: [Part], _ outcomes: [FHIRAnswer.Outcome], _ response: inout SinkResponse) {
    // A wrong patient, device or code makes the server refuse every entry for the same reason. Then the rows wait for a
    // correction; a server that accepts other entries refuses these for their contents.
    let accepts = outcomes.contains(.created) || outcomes.contains(.existing)
    var rows: [RowAnswer] = []
    var position = 0
    for part in parts {
      let own = outcomes[position..<position + part.observations.count]
      position += part.observations.count
      rows.append(RowAnswer(id: part.row, status: part.isHeld ? .retry : status(own, accepts, &response)))
    }
    response.body = .rows(rows)
  }

  private func status(
    _ outcomes: ArraySlice<FHIRAnswer.Outcome>, _ accepts: Bool, _ response: inout SinkResponse
  ) -> RowStatus {
    var status = RowStatus.stored
    for outcome in outcomes {
      switch outcome {
      case .created: break
      case .existing: if status == .stored, outcomes.count == 1 { status = .known }
      case .refused(let text):
        response.fault = text
        if !accepts { return .retry }
        status = .refused(reason: text)
      case .noConsent(let text):
        response.fault = "the server refuses \(target.dataType.code): \(text)"
        response.retryAfter = max(response.retryAfter ?? .zero, FHIRFormat.consentWait)
        return .retry
      case .failed(let code, let text):
        response.fault = "status \(code): \(text)"
        return .retry
      }
    }
    return status
  }
}
