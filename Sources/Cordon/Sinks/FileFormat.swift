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
  public func message(for request: Request, at endpoint: SinkEndpoint) -> HTTPMessage? { nil }

  /// Nothing: nothing answers.
  public func response(to request: Request, from answer: HTTPAnswer, at endpoint: SinkEndpoint) -> Response {
    Response(to: request, from: answer)
  }

  /// Appends the locations to the file, all or none.
  public func deliver(
    _ request: Request, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> Response {
    LocationFile(url: endpoint.url).take(request)
  }
}

extension SinkFormat where Self == FileFormat {
  /// A file of JSON Lines.
  public static var file: FileFormat { FileFormat() }
}
