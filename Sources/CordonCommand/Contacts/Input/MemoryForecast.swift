import CordonCommandLine
import CordonExchange
import Foundation

/// Foresees that an input will not fit, before half of it has been read.
enum MemoryForecast {
  /// Bytes of a point in the temporary file.
  private static let bytesPerRow = 48.0

  /// As many points to a window as asked, or fewer when memory is short.
  static func fitted(_ points: Int) -> Int {
    guard let available = FreeMemory.bytes else { return points }
    let most = available * 0.5 / PointWindows.memoryNeeded(points: 1, over: 0, inWindowsOf: 0, or: 1)
    return min(points, max(Int(min(most, 1e12)), 10_000))
  }

  /// Whether the points of the longest window fit into memory.
  /// - Parameters:
  ///   - points: how many there are in all.
  ///   - length: milliseconds from the first to the last one.
  ///   - least: windows are at least so long, milliseconds.
  ///   - perWindow: how many points a window has when it is longer than that.
  /// - Throws: ``CommandError`` when more would be needed than there is; it names the option that helps.
  static func check(points: Int, over length: Int64, inWindowsOf least: Int64, or perWindow: Int, file: String) throws {
    guard let available = FreeMemory.bytes else { return }
    let needed = PointWindows.memoryNeeded(points: points, over: length, inWindowsOf: least, or: perWindow)
    guard needed > available * 0.9 else { return }
    // Not every command has an option for the length of windows.
    throw CommandError(
      """
      \(points) points need about \(shown(needed)) of memory in windows of that length and \(shown(available)) \
      are free; \(least > 0 ? "give a shorter --slab, or " : "")split the input by day
      """, code: "too-large", file: file)
  }

  /// Whether the segments of one window fit into memory, while they are gathered.
  /// - Parameter available: bytes that were free before, if that is known.
  /// - Throws: ``CommandError`` when they do not.
  static func check(segments: Int, available: Double?, file: String) throws {
    let needed = PointWindows.memoryNeeded(points: segments, over: 0, inWindowsOf: 0, or: segments)
    guard let available, needed > available * 0.9 else { return }
    throw CommandError(
      """
      more than \(segments) segments of one window need about \(shown(needed)) of memory and \(shown(available)) \
      were free; give a shorter --slab
      """, code: "too-large", file: file)
  }

  /// Whether so many rows fit into the folder for temporary files.
  /// - Throws: ``CommandError`` when they do not.
  static func check(rows: Int, file: String) throws {
    // Few rows stay in memory.
    guard rows > PointWindows.rowsInMemory else { return }
    try checkTemporarySpace(Double(rows) * bytesPerRow, file: file)
  }

  /// Whether the rows of files fit into the folder for temporary files.
  /// - Throws: ``CommandError`` when they do not.
  static func check(paths: [String], format: ContactInputFormat) throws {
    var rows = 0.0
    for path in paths {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard let size = (attributes?[.size] as? NSNumber)?.doubleValue else { continue }
      rows += size * rowsPerByte(path: path, format: format)
    }
    try checkTemporarySpace(rows * bytesPerRow, file: paths.joined(separator: ", "))
  }

  private static func checkTemporarySpace(_ needed: Double, file: String) throws {
    let folder = NSTemporaryDirectory()
    let system = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = (system?[.systemFreeSize] as? NSNumber)?.doubleValue else { return }
    guard needed > free * 0.95 else { return }
    throw CommandError(
      """
      needs about \(shown(needed)) of temporary space and \(shown(free)) are free in \(folder); name a larger \
      folder with TMPDIR, or split the input by day: a workload file that is sorted by device and time needs none and is \
      read slab by slab (--slab, where a command has it)
      """, code: "too-large", file: file)
  }

  /// Rows of 50 bytes, shorter ones of JSON Lines being rare.
  private static func rowsPerByte(path: String, format: ContactInputFormat) -> Double {
    let unpacked = path.hasSuffix(".gz") ? 6.0 : 1.0
    switch format {
    case .workload, .arrow: return 1.0 / 32
    case .jsonl: return unpacked / 90
    case .csv, .auto, .run: return unpacked / 50
    }
  }

  /// Bytes, for people.
  static func shown(_ bytes: Double) -> String {
    bytes < 1e9 ? "\(Int((bytes / 1e6).rounded())) MB" : "\((bytes / 1e8).rounded() / 10) GB"
  }
}
