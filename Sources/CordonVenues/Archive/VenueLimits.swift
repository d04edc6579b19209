/// What a reader accepts before it refuses: the bounds that keep a hostile or broken file from
/// taking the memory or the time of the process. Beyond one, loading ends with `limit-exceeded`.
public struct VenueLimits: Hashable, Sendable {
  /// Files in a bundle, also those that are ignored. Default 10 000.
  public var entries = 10_000
  /// Uncompressed bytes of one file. Default 64 MiB.
  public var bytesPerFile = 64 << 20
  /// Uncompressed bytes of all files that are read. Default 128 MiB.
  public var totalBytes = 128 << 20
  /// Uncompressed over compressed size of one file, looked at beyond 1 MiB. Default 200.
  public var compressionRatio = 200
  /// Arrays and objects inside one another. Default 64.
  public var nestingDepth = 64
  /// Values in one JSON file, 16 bytes of memory each. Default 8 million.
  public var jsonValues = 8_000_000
  /// Positions in one ring or line. Default 200 000.
  public var ringVertices = 200_000
  /// Features (spaces, walls, nodes, points of interest ...) of a venue. Default 1 million.
  public var features = 1_000_000
  /// Findings that are kept; the rest are counted in one last finding. Default 50 000.
  public var findings = 50_000
  /// Departures from the JSON standard that are reported of one file. Default 20.
  public var remarksPerFile = 20

  /// The defaults.
  public init() {}
}
