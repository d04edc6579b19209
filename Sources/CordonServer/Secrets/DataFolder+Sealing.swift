internal import Foundation

/// The keys under which keys of devices are encrypted in a database (`sealed-columns = yes`).
extension DataFolder {
  /// A key: its name and 32 random bytes.
  package typealias SealingKey = (id: String, secret: [UInt8])

  private struct SealingFile: Codable {
    struct Key: Codable {
      var id: String
      var secret: Data
    }
    var keys: [Key]
  }

  /// The file of the keys. With it and the database all positions can be read.
  package var sealingPath: String { path + "/sealing.json" }

  private func sealingFile() throws -> SealingFile? {
    guard let data = try read("sealing.json") else { return nil }
    guard let file = try? JSONDecoder().decode(SealingFile.self, from: data), !file.keys.isEmpty,
      file.keys.allSatisfy({ $0.secret.count == 32 })
    else { throw Fault(description: "\(sealingPath): not the keys of sealed columns") }
    return file
  }

  /// The keys, the current one first. A database that has rows refuses keys of another folder.
  /// - Parameter mayMake: whether they are made where there are none.
  package func sealingKeys(mayMake: Bool) throws -> [SealingKey] {
    if let file = try sealingFile() { return file.keys.map { ($0.id, Array($0.secret)) } }
    guard mayMake else {
      throw Fault(description: "\(sealingPath): missing; put the file of the servers of the database there")
    }
    try write(try JSONEncoder().encode(SealingFile(keys: [Self.newSealingKey()])), to: "sealing.json")
    return try sealingKeys(mayMake: false)
  }

  private static func newSealingKey() -> SealingFile.Key { SealingFile.Key(id: name(), secret: secret()) }

  /// Puts a new key in front of the others.
  package func addSealingKey() throws {
    guard var file = try sealingFile() else { throw Fault(description: "\(sealingPath): missing") }
    file.keys.insert(Self.newSealingKey(), at: 0)
    try write(try JSONEncoder().encode(file), to: "sealing.json")
  }

  /// Removes all keys but the current one. The bytes of the former file are overwritten before, as far as its disk does that in place.
  package func dropFormerSealingKeys() throws {
    guard var file = try sealingFile() else { throw Fault(description: "\(sealingPath): missing") }
    let size = (try FileManager.default.attributesOfItem(atPath: sealingPath)[.size] as? Int) ?? 0
    // Written under another name first: a process that ends meanwhile leaves a whole file.
    file.keys = Array(file.keys.prefix(1))
    let former = try FileHandle(forUpdating: URL(fileURLWithPath: sealingPath))
    defer { try? former.close() }
    try write(try JSONEncoder().encode(file), to: "sealing.json")
    try former.write(contentsOf: Data(count: size))
    try former.synchronize()
  }
}
