package import Cordon
import CordonCore
package import CordonMonitoring
package import Foundation

/// A format whose requests carry the access token of a sign-in.
///
/// A refused token is renewed once, and the request repeated with the new one. Without a token nothing is sent, and the
/// locations wait. The tokens go to one receiver: an endpoint whose address was changed to another origin, such as by a
/// setup link, sends nothing until it is signed in anew.
package struct SignedInFormat: SinkFormat {
  /// The format of the messages.
  package let base: any SinkFormat
  /// The sign-in.
  package let session: SignInSession
  /// Scheme, host and port of the receiver of the tokens.
  private let origin: String

  /// Makes a format.
  /// - Parameter receiver: the receiver of the tokens.
  package init(_ base: any SinkFormat, session: SignInSession, receiver: URL) {
    self.base = base
    self.session = session
    origin = ProviderMetadata.origin(of: receiver)
  }

  /// That of the format of the messages.
  package var sinkID: SinkID { base.sinkID }
  /// That of the format of the messages.
  package var name: String { base.name }
  /// Those of the format of the messages.
  package var abilities: Sink.Abilities { base.abilities }
  /// That of the format of the messages.
  package var usesGzip: Bool { base.usesGzip }

  /// See `SinkFormat.message(for:at:)`; without a token of the sign-in.
  package func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    base.message(for: request, at: endpoint)
  }

  /// See `SinkFormat.response(to:from:at:)`.
  package func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    base.response(to: request, from: answer, at: endpoint)
  }

  /// Sends a request with the current access token.
  package func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse {
    guard ProviderMetadata.origin(of: endpoint.url) == origin else {
      var response = SinkResponse(number: request.number, status: 401)
      response.fault = "the sign-in is for another receiver, \(origin)"
      return response
    }
    switch await session.token() {
    case .failure(let error): return response(to: request, without: error)
    case .success(let token):
      let first = await send(request, endpoint, token, transport)
      guard first.status == 401 else { return first }
      await session.refused(token)
      switch await session.token() {
      case .failure(let error): return response(to: request, without: error)
      case .success(token): return first
      case .success(let next): return await send(request, endpoint, next, transport)
      }
    }
  }

  private func send(
    _ request: SinkRequest, _ endpoint: SinkEndpoint, _ token: String, _ transport: any HTTPTransport
  ) async -> SinkResponse {
    var endpoint = endpoint
    endpoint.token = token
    return await base.deliver(request, to: endpoint, over: transport)
  }

  private func response(to request: SinkRequest, without error: SignInError) -> SinkResponse {
    var response = SinkResponse(number: request.number, status: error.isTransient ? 0 : 401)
    response.fault = error.description
    return response
  }
}
