package import CordonConsole
package import CordonCore
internal import CordonIngest
internal import Foundation

/// An examination of everything that a server needs: settings, store, venues, certificates, clock, disk, operators.
///
/// It makes no file, migrates nothing and deletes nothing. A running server is not disturbed.
package struct ServerCheck: Sendable {
  /// The files of a server; `nil` for those that no setting names.
  package struct Files: Hashable, Sendable {
    /// The data folder.
    package var data: String?
    /// The folder of venue bundles.
    package var venues: String?
    /// The certificate chain, PEM.
    package var certificate: String?
    /// The key of the certificate, PEM.
    package var key: String?
    /// The file of settings.
    package var config: String?

    /// No files.
    package init() {}
  }

  /// The files of the server.
  package var files: Files
  /// The settings of the server; its certificate is that of ``files``.
  package var settings: IngestServer.Settings
  /// The present time of this machine.
  package var now: Instant
  /// The store, where it lies elsewhere than in the data folder; `nil` for the file of the folder.
  package var database: StoreAccess?
  /// Whether the file of settings contains passwords or secrets.
  package var hasSecrets: Bool

  /// An examination.
  package init(_ files: Files, settings: IngestServer.Settings, now: Instant, hasSecrets: Bool = false) {
    self.files = files
    self.settings = settings
    self.now = now
    self.hasSecrets = hasSecrets
    if let chain = files.certificate, let key = files.key { self.settings.certificate = (chain, key) }
  }

  /// Returns all findings: settings, store, venues, certificates, clock, disk, operators.
  package func examine() -> [DiagnosisFinding] {
    let (venues, catalog) = venueFindings()
    let (store, latest) = storeFindings()
    return configurationFindings() + store + venues + certificateFindings() + clockFindings(latest: latest)
      + diskFindings() + operatorFindings(catalog) + outboundFindings()
  }

  /// The data folder, where it exists: the examination does not make it.
  var folder: DataFolder? {
    guard let data = files.data, Self.isFolder(data) else { return nil }
    return try? DataFolder(data)
  }

  /// The user who owns the data folder, if that is another than the user of this process. Files that SQLite makes beside a
  /// store would then lock the server out.
  var foreignOwner: String? {
    var status = stat()
    guard let data = files.data, stat(data, &status) == 0, status.st_uid != geteuid() else { return nil }
    let name = try? FileManager.default.attributesOfItem(atPath: data)[.ownerAccountName] as? String
    return name ?? "user \(status.st_uid)"
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// A number of bytes for people, such as `1.5 GiB`.
  static func text(bytes: Int) -> String {
    var (value, unit) = (Double(bytes), 0)
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
    while value >= 1_024, unit < units.count - 1 {
      value /= 1_024
      unit += 1
    }
    let rounded = (value * 10).rounded() / 10
    return (rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") + " " + units[unit]
  }
}
