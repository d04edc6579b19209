package import CordonStudies
internal import Foundation

extension DataFolder {
  /// The file of studies, participants and their data.
  package var studiesPath: String { path + "/studies.sqlite" }

  /// Opens the studies of the folder; their files and the key of the vault are made when they are not there.
  package func studies(_ settings: StudySettings) throws -> StudyService {
    let vault = try settings.vaultFolder.map { try DataFolder($0) } ?? self
    return StudyService(
      store: try SQLiteStudyStore(path: studiesPath),
      vault: try SQLiteIdentityVault(path: vault.path + "/vault.sqlite", key: try vault.vaultKey()))
  }

  /// The service of push messages: a file, which another program may read.
  package func push(_ settings: StudySettings) -> FilePush { FilePush(path: settings.pushFile ?? path + "/push.jsonl") }

  private func vaultKey() throws -> [UInt8] {
    if let data = try read("vault.key") {
      guard data.count == 32 else { throw Fault(description: "\(path)/vault.key: not a key") }
      return Array(data)
    }
    guard !FileManager.default.fileExists(atPath: path + "/vault.sqlite") else {
      throw Fault(description: "\(path)/vault.key: missing beside a vault, which cannot be opened with another key")
    }
    let secret = Self.secret()
    try write(secret, to: "vault.key")
    return Array(secret)
  }
}
