/// The limits of a reader.
///
/// They protect the memory and time of the process from a hostile or broken file. Loading fails with the code
/// `limit-exceeded` if a limit is exceeded.
public struct VenueLimits: Hashable, Sendable {
  /// Maximum number of files and folders in a bundle, including ignored ones. Default 10 000.
  public var entries = 10_000
  /// Maximum uncompressed size of one file, in bytes. Default 64 MiB.
  public var bytesPerFile = 64 << 20
  /// Maximum uncompressed size of all files that are read, in bytes. Default 128 MiB.
  public var totalBytes = 128 << 20
  /// Maximum ratio of the uncompressed to the compressed size of a file, checked above 1 MiB. Default 200.
  public var compressionRatio = 200
  /// Maximum nesting of arrays and objects. Default 64.
  public var nestingDepth = 64
  /// Maximum number of values in one JSON file, with 16 bytes of memory each. Default 8 million.
  public var jsonValues = 8_000_000
  /// Maximum number of positions in one ring or line. Default 200 000.
  public var ringVertices = 200_000
  /// Maximum number of features of a venue, such as spaces, walls, nodes and points of interest. Default 1 million.
  public var features = 1_000_000
  /// Maximum number of findings; one last finding counts the others. Default 50 000.
  public var findings = 50_000
  /// Maximum number of reported deviations from the JSON standard per file. Default 20.
  public var remarksPerFile = 20

  /// Creates the default limits.
  public init() {}
}
