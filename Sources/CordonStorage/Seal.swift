import CordonCore
import CordonMonitoring

/// The sealing of rows and texts, and the names of sealed rows in the file.
struct Seal {
  let sealer: any Sealer
  /// The key of the hashes of identifiers; sealed in the file.
  let pseudonymKey: (UInt64, UInt64)

  /// The sealed part of a location.
  struct Contents: Hashable {
    var id: FixID
    var coordinate: Coordinate
    var accuracy: Double
    var floor: FloorOrdinal?
    var space: SpaceID?
  }

  /// Returns the name of a row: its time and a keyed hash of its identifier.
  func name(of id: FixID) -> FixID {
    var hash = SipHash128(key: pseudonymKey)
    hash.combine(word: id.high)
    hash.combine(word: id.low)
    let digest = hash.finalize()
    return FixID(high: id.high & ~0xfff | digest.high & 0xfff, low: digest.low)
  }

  func seal(_ contents: Contents, as name: FixID, of device: Int64) throws(StoreError) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(48 + (contents.space?.rawValue.utf8.count ?? 0))
    for word in [
      contents.id.high, contents.id.low, contents.coordinate.longitude.bitPattern,
      contents.coordinate.latitude.bitPattern, contents.accuracy.bitPattern,
    ] {
      Seal.put(word, 8, &plain)
    }
    // The value for an unknown floor is below every ordinal.
    let floor = contents.floor.map { Int64($0.thousandths) } ?? Int64(Int32.min) - 1
    Seal.put(UInt64(bitPattern: floor), 5, &plain)
    if let space = contents.space {
      plain.append(1)
      plain.append(contentsOf: space.rawValue.utf8)
    }
    do {
      return try sealer.seal(plain, at: Seal.place(name, device))
    } catch {
      throw Seal.error(error)
    }
  }

  /// Opens a sealed location.
  ///
  /// - Returns: the contents; `nil` if they can never be opened again.
  func open(_ sealed: [UInt8], as name: FixID, of device: Int64) throws(StoreError) -> Contents? {
    let plain: [UInt8]
    do throws(SealingError) {
      plain = try sealer.open(sealed, at: Seal.place(name, device))
    } catch {
      if error.kind == .lostKey || error.kind == .damaged { return nil }
      throw Seal.error(error)
    }
    guard plain.count >= 45 else { return nil }
    let words = (0..<5).map { Seal.word(plain[$0 * 8..<$0 * 8 + 8]) }
    // Five bytes hold the number with its sign in the highest bit.
    let floor = Int64(bitPattern: Seal.word(plain[40..<45]) << 24) >> 24
    let space = plain.count == 45 ? nil : SpaceID(String(decoding: plain[46...], as: UTF8.self))
    return Contents(
      id: FixID(high: words[0], low: words[1]),
      coordinate: Coordinate(
        longitude: Double(bitPattern: words[2]), latitude: Double(bitPattern: words[3])),
      accuracy: Double(bitPattern: words[4]),
      floor: floor < Int64(Int32.min) ? nil : FloorOrdinal(thousandths: Int32(clamping: floor)), space: space)
  }

  /// Seals a text of a device, such as its token.
  func seal(_ text: String, named name: String, of device: DeviceID) throws(StoreError) -> [UInt8] {
    do {
      return try sealer.seal(Array(text.utf8), at: Array("\(name) of \(device)".utf8))
    } catch {
      throw Seal.error(error)
    }
  }

  /// Opens a sealed text.
  ///
  /// - Returns: the text; `nil` if it can never be opened again.
  func open(_ sealed: [UInt8], named name: String, of device: DeviceID) throws(StoreError) -> String? {
    do {
      return String(decoding: try sealer.open(sealed, at: Array("\(name) of \(device)".utf8)), as: UTF8.self)
    } catch {
      if error.kind == .lostKey || error.kind == .damaged { return nil }
      throw Seal.error(error)
    }
  }

  private static func place(_ name: FixID, _ device: Int64) -> [UInt8] {
    var place: [UInt8] = []
    place.reserveCapacity(24)
    put(UInt64(bitPattern: device), 8, &place)
    put(name.high, 8, &place)
    put(name.low, 8, &place)
    return place
  }

  static func put(_ word: UInt64, _ count: Int, _ bytes: inout [UInt8]) {
    for index in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
  }

  static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  static func error(_ error: SealingError) -> StoreError {
    StoreError(error.kind == .locked ? .locked : .failed, "seal: \(error)")
  }
}
