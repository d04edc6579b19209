import Foundation

/// Foresees that an input will not fit into memory, before half of it has been read.
enum MemoryForecast {
  /// - Throws: ``Failure`` when more would be needed than there is.
  static func check(path: String, format: ContactInputFormat) throws {
    guard let available = availableBytes else { return }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let size = (attributes?[.size] as? NSNumber)?.doubleValue else { return }
    let needed = size * factor(path: path, format: format)
    guard needed > available * 0.9 else { return }
    let gigabytes = { (bytes: Double) in "\((bytes / 1e8).rounded() / 10) GB" }
    throw Failure(
      """
      needs about \(gigabytes(needed)) of memory and \(gigabytes(available)) are free; split it by day, or write it as a \
      workload file sorted by device and time, which is read slab by slab (--slab)
      """, code: "too-large", file: path)
  }

  /// Bytes of memory for a byte of file: 36 bytes a point, of rows of about 50 bytes, with room to grow.
  private static func factor(path: String, format: ContactInputFormat) -> Double {
    let unpacked = path.hasSuffix(".gz") ? 8.0 : 1.0
    switch format {
    case .workload: return 1.2
    case .run: return 2
    case .jsonl: return unpacked * 0.8
    case .csv, .auto: return unpacked * 1.5
    }
  }

  private static var availableBytes: Double? {
    guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * 1_024 }
    }
    return nil
  }
}
