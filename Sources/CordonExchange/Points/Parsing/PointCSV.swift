/// Reads points from comma-separated values with a header, gzipped or not.
///
/// The separator is a comma, or a semicolon, tab or vertical bar when the header has those, and then numbers may have decimal
/// commas.
/// Fields may be quoted; line breaks inside quotes are not read. Trajectories of GeoLife (`.plt`) are read as well.
package enum PointCSV {
  /// Reads a file into memory; `-` is standard input.
  package static func read(path: String, options: PointFileOptions = PointFileOptions()) throws
    -> PointTable
  {
    try PointFiles.read([PointFile(path: path, format: .csv)], options: options)
  }

  /// Reads a file for windows of time; `-` is standard input.
  /// - Parameters:
  ///   - path: where the file is.
  ///   - options: how its columns are to be read.
  ///   - rowsInMemory: how many rows are held in memory; more go to a temporary file.
  package static func windows(
    path: String, options: PointFileOptions = PointFileOptions(), rowsInMemory: Int = PointWindows.rowsInMemory
  ) throws -> PointWindows {
    try PointFiles.windows([PointFile(path: path, format: .csv)], options: options, rowsInMemory: rowsInMemory)
  }
}
