internal import CordonConsole
internal import Foundation

extension ServerCheck {
  /// Checks the free space of the data folder against what the server, a backup and a restore need.
  func diskFindings() -> [DiagnosisFinding] {
    guard let folder, let space = DiskReserve.space(folder.path) else { return [] }
    let reserve = database == nil ? settings.reserveBytes : 0
    let size = (try? FileManager.default.attributesOfItem(atPath: folder.storePath))?[.size] as? Int ?? 0
    var findings = Self.spaceFindings(
      free: space.free, capacity: space.capacity, store: size, reserve: reserve)
    if foreignOwner == nil, !FileManager.default.isWritableFile(atPath: folder.path) {
      findings.append(
        DiagnosisFinding(
          .failure, "disk", "read-only", "\(folder.path) cannot be written.",
          remedy:
            "Check the owner, the mode and the mount of the folder; systemd needs ReadWritePaths or StateDirectory."))
    }
    return findings
  }

  /// The findings of the free space.
  /// - Parameters:
  ///   - free: the free bytes.
  ///   - capacity: the bytes of the disk.
  ///   - store: the bytes of the store.
  ///   - reserve: the bytes that the server holds for erasures and withdrawals; the disk has them already in use, or not yet.
  static func spaceFindings(free: Int, capacity: Int, store: Int, reserve: Int) -> [DiagnosisFinding] {
    let text = "\(Self.text(bytes: free)) of \(Self.text(bytes: capacity)) are free"
    let reserve = min(reserve, capacity / 8)
    if free < max(reserve, 1 << 20) {
      return [
        DiagnosisFinding(
          .failure, "disk", "full", "\(text), so rows are refused.", remedy: "Free space, or enlarge the disk.")
      ]
    }
    if free < store {
      return [
        DiagnosisFinding(
          .warning, "disk", "no-copy", "\(text), less than the store has; a restore needs as much.",
          remedy: "Enlarge the disk, or keep positions for a shorter time.")
      ]
    }
    if free < capacity / 10 {
      return [
        DiagnosisFinding(
          .warning, "disk", "nearly-full", "\(text).", remedy: "Free space before the server refuses rows.")
      ]
    }
    return [DiagnosisFinding(.ok, "disk", "disk", "\(text).")]
  }
}
