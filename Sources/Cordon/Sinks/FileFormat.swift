public import CordonMonitoring

/// A file of JSON Lines, one location on each. The endpoint's URL is the file.
public struct FileFormat: SinkFormat {
  /// The format.
  public init() {}

  /// `SinkID.file`.
  public var sinkID: SinkID { .file }
  /// `file`.
  public var name: String { "file" }

  /// None: nothing is sent.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? { nil }

  /// Nothing: nothing answers.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    SinkResponse(to: request, from: answer)
  }

  /// Appends the locations to the file, all or none.
  public func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse {
    LocationFile(url: endpoint.url).take(request)
  }
}

extension SinkFormat where Self == FileFormat {
  /// A file of JSON Lines.
  public static var file: FileFormat { FileFormat() }
}
