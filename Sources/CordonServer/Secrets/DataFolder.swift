package import CordonIngest
internal import Crypto
internal import Foundation

/// The data folder of a server: positions, keys and, separately, the identities of its operators.
///
/// - `cordon.sqlite`: positions, contacts, pseudonyms.
/// - `decisions.sqlite`: erasures, consents, revocations and accesses, which outlive any restore (`DecisionLog`).
/// - `webhooks.sqlite`: messages that wait for their receivers, and dead letters; only with webhooks.
/// - `forms.sqlite`: forms, keys of collectors, and records; only with forms.
/// - `keys.json`: the keys of tokens, and of the pseudonyms in tombstones and decisions.
/// - `operators.sealed`: accounts of operators, sealed (AES-256-GCM) under the key in `operators.key`.
/// - `studies.sqlite`: studies and participants under pseudonyms, with their data; only with studies.
/// - `vault.sqlite`: identities of participants, sealed under the key in `vault.key`; another folder can hold both.
/// - `sessions.sqlite`: sessions of operators by hashes of their cookies, and what happened to accounts.
///
/// The files are readable by their owner only.
public struct DataFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// The reason why the folder cannot be used.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the file that has it.
    public var description: String
  }

  /// A folder; it is made when it is not there.
  public init(_ path: String) throws {
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Fault(description: "\(path): cannot be made a folder")
    }
  }

  /// The file of the store.
  public var storePath: String { path + "/cordon.sqlite" }
  /// The file of alert rules and alerts.
  package var alertsPath: String { path + "/alerts.sqlite" }
  /// The file of cases and notices.
  package var casesPath: String { path + "/cases.sqlite" }

  /// The file of forms and their records.
  package var formsPath: String { path + "/forms.sqlite" }

  /// The file of sessions of operators.
  package var sessionsPath: String { path + "/sessions.sqlite" }

  /// The file of the log of decisions.
  public var logPath: String { path + "/decisions.sqlite" }

  /// The file of messages that wait for their receivers.
  package var webhookPath: String { path + "/webhooks.sqlite" }

  /// An exclusive lock on the folder, so that only one process writes to its store.
  public final class Lock: Sendable {
    private let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Releases the lock; the end of the process also releases it.
    public func release() { close(descriptor) }
  }

  /// Locks the folder for this process and completes an interrupted restore. Throws when another process holds the lock.
  public func lock() throws -> Lock {
    let descriptor = open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Fault(description: "\(path)/lock: cannot be opened") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Fault(description: "\(path): a server runs on this folder, or a restore")
    }
    let lock = Lock(descriptor)
    try completeRestore()
    return lock
  }

  func read(_ name: String) throws -> Data? {
    guard FileManager.default.fileExists(atPath: path + "/" + name) else { return nil }
    guard let data = FileManager.default.contents(atPath: path + "/" + name) else {
      throw Fault(description: "\(path)/\(name): cannot be read")
    }
    return data
  }

  // Writes a temporary file and renames it: readers never see half a file.
  func write(_ data: Data, to name: String) throws {
    let temporary = "\(path)/.\(name).new"
    guard
      FileManager.default.createFile(atPath: temporary, contents: data, attributes: [.posixPermissions: 0o600]),
      rename(temporary, path + "/" + name) == 0
    else { throw Fault(description: "\(path)/\(name): cannot be written") }
  }

  // MARK: Keys

  private struct KeyFile: Codable {
    struct Key: Codable {
      var id: String
      var secret: Data
    }
    var tokens: [Key]
    var tombstone: Data
  }

  static func secret() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

  static func name() -> String {
    secret().prefix(6).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  private func keyFile(mayMake: Bool = false) throws -> KeyFile {
    if let data = try read("keys.json") {
      do {
        return try JSONDecoder().decode(KeyFile.self, from: data)
      } catch {
        throw Fault(description: "\(path)/keys.json: not the keys of a server")
      }
    }
    guard mayMake || ![storePath, logPath].contains(where: FileManager.default.fileExists(atPath:)) else {
      throw Fault(
        description:
          "\(path)/keys.json: missing beside a store, which is of no use with other keys; put its copy back, "
          + "or see docs/reference/server.md, \"Lost keys\"")
    }
    let file = KeyFile(tokens: [.init(id: Self.name(), secret: Self.secret())], tombstone: Self.secret())
    try write(try JSONEncoder().encode(file), to: "keys.json")
    return file
  }

  /// The keys; made at the first call for a folder without a store.
  /// - Parameter mayMake: whether they are made beside a store as well.
  package func keys(mayMake: Bool = false) throws -> ServerKeys {
    let file = try keyFile(mayMake: mayMake)
    return ServerKeys(
      tokens: file.tokens.map { TokenKey(id: $0.id, secret: Array($0.secret)) }, tombstone: Array(file.tombstone))
  }

  /// A digest of the key of tombstones, which never changes. Nothing of the key can be found from it.
  package func keysDigest() throws -> String {
    let code = HMACSigner().authenticationCode(of: Array("cordon store".utf8), key: try keys(mayMake: true).tombstone)
    return code.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
  }

  /// Adds a new token key in front and returns its name. The previous key stays valid; older keys are dropped.
  public func rotateKeys() throws -> String {
    var file = try keyFile()
    file.tokens = [.init(id: Self.name(), secret: Self.secret())] + file.tokens.prefix(1)
    try write(try JSONEncoder().encode(file), to: "keys.json")
    return file.tokens[0].id
  }
}
