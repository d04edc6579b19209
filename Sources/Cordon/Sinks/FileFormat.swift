public import CordonMonitoring

/// A file of JSON Lines, with one location on each line. The endpoint's URL is the file.
public struct FileFormat: SinkFormat {
  /// Makes the format.
  public init() {}

  /// `SinkID.file`.
  public var sinkID: SinkID { .file }
  /// `file`.
  public var name: String { "file" }

  /// `nil`: nothing is sent.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? { nil }

  /// An empty response: nothing answers.
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
