internal import CordonContacts
internal import CordonIngest
internal import Crypto
internal import Foundation

/// The encryption of columns: AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits, bound to the row that they belong to.
enum RowSeal {
  /// Encrypts bytes: nonce, ciphertext, tag. 28 bytes longer than the text.
  /// - Parameter identity: what names the row; bytes of another row cannot be opened in its place.
  static func seal(_ plain: [UInt8], under key: SymmetricKey, for identity: [UInt8]) throws(StoreFault) -> [UInt8] {
    do {
      guard let bytes = try AES.GCM.seal(plain, using: key, authenticating: identity).combined else {
        throw StoreFault(.failed, "a row cannot be sealed")
      }
      return Array(bytes)
    } catch {
      throw StoreFault(.failed, "a row cannot be sealed")
    }
  }

  /// Decrypts what ``seal(_:under:for:)`` made.
  /// - Throws: ``StoreFault/Kind/corrupt`` for bytes that were changed, or belong to another row or key.
  static func open(_ sealed: [UInt8], under key: SymmetricKey, for identity: [UInt8]) throws(StoreFault) -> [UInt8] {
    do {
      return Array(try AES.GCM.open(try AES.GCM.SealedBox(combined: sealed), using: key, authenticating: identity))
    } catch {
      throw StoreFault(.corrupt, "a sealed row cannot be opened with its key")
    }
  }

  /// The key of what belongs to two devices: without the key of either it cannot be computed (HKDF, RFC 5869).
  static func pair(_ first: SymmetricKey, _ second: SymmetricKey) -> SymmetricKey {
    let both = first.withUnsafeBytes { Array($0) } + second.withUnsafeBytes { Array($0) }
    return HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: both), info: Array("cordon contact".utf8), outputByteCount: 32)
  }
}

/// The columns of a position that are sealed: where a device was.
struct SealedPlace: Hashable {
  /// Millimetres.
  var accuracy: Int64
  /// Degrees times 1e7.
  var longitude: Int32
  /// Degrees times 1e7.
  var latitude: Int32
  /// Thousandths.
  var floor: Int32?
  /// The number of the space.
  var space: Int32?
  /// Per cent.
  var battery: Int16?

  /// Always as many bytes: their number says nothing about a place.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [(floor == nil ? 0 : 1) | (space == nil ? 0 : 2) | (battery == nil ? 0 : 4)]
    bytes.reserveCapacity(Self.length)
    bytes.append(bigEndian: accuracy)
    bytes.append(bigEndian: longitude)
    bytes.append(bigEndian: latitude)
    bytes.append(bigEndian: floor ?? 0)
    bytes.append(bigEndian: space ?? 0)
    bytes.append(bigEndian: battery ?? 0)
    return bytes
  }

  private static let length = 27

  /// Takes the values as they are.
  init(
    accuracy: Int64, longitude: Int32, latitude: Int32, floor: Int32?, space: Int32?, battery: Int16?
  ) {
    (self.accuracy, self.longitude, self.latitude) = (accuracy, longitude, latitude)
    (self.floor, self.space, self.battery) = (floor, space, battery)
  }

  /// The place of a row.
  init(_ row: NewPosition, space: Int32?) {
    self.init(
      accuracy: row.accuracy, longitude: row.longitude, latitude: row.latitude, floor: row.floor, space: space,
      battery: row.battery.map { Int16(truncatingIfNeeded: $0) })
  }

  /// Reads what ``bytes`` wrote.
  init(_ bytes: [UInt8]) throws(StoreFault) {
    guard bytes.count == Self.length, bytes[0] < 8 else {
      throw StoreFault(.corrupt, "a sealed row is of another form")
    }
    var rest = bytes.dropFirst()
    let flags = bytes[0]
    accuracy = rest.takeBigEndian()
    longitude = rest.takeBigEndian()
    latitude = rest.takeBigEndian()
    let (floor, space, battery): (Int32, Int32, Int16) = (
      rest.takeBigEndian(), rest.takeBigEndian(), rest.takeBigEndian()
    )
    self.floor = flags & 1 == 0 ? nil : floor
    self.space = flags & 2 == 0 ? nil : space
    self.battery = flags & 4 == 0 ? nil : battery
  }

  /// Encrypts it for a row.
  func sealed(under key: SymmetricKey, _ device: Int64, _ high: Int64, _ low: Int64) throws(StoreFault) -> [UInt8] {
    try RowSeal.seal(bytes, under: key, for: Self.identity(device, high, low))
  }

  /// Decrypts the place of a row.
  init(
    _ sealed: [UInt8], under key: SymmetricKey, _ device: Int64, _ high: Int64, _ low: Int64
  ) throws(StoreFault) {
    try self.init(try RowSeal.open(sealed, under: key, for: Self.identity(device, high, low)))
  }

  private static func identity(_ device: Int64, _ high: Int64, _ low: Int64) -> [UInt8] {
    var bytes = Array("position".utf8)
    bytes.append(bigEndian: device)
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }
}

/// The columns of a contact that are sealed: where and how near two devices were.
struct SealedMeeting: Hashable {
  /// Metres.
  var distance: Double
  /// Microseconds since 1970.
  var closest: Int64
  /// Metres.
  var x: Double
  /// Metres.
  var y: Double
  /// Metres.
  var separationX: Double
  /// Metres.
  var separationY: Double
  /// Microseconds; `nil` where walls were not looked at.
  var obstructed: Int64?

  /// Takes the values as they are.
  init(
    distance: Double, closest: Int64, x: Double, y: Double, separationX: Double, separationY: Double, obstructed: Int64?
  ) {
    (self.distance, self.closest, self.x, self.y) = (distance, closest, x, y)
    (self.separationX, self.separationY, self.obstructed) = (separationX, separationY, obstructed)
  }

  /// The meeting of a contact.
  init(_ contact: Contact) {
    self.init(
      distance: contact.minimumDistance, closest: contact.minimumDistanceTime, x: contact.x, y: contact.y,
      separationX: Double(contact.separationX), separationY: Double(contact.separationY),
      obstructed: contact.obstructed < 0 ? nil : contact.obstructed)
  }

  /// Always as many bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = [obstructed == nil ? 0 : 1]
    bytes.append(bigEndian: closest)
    bytes.append(bigEndian: obstructed ?? 0)
    for value in [distance, x, y, separationX, separationY] { bytes.append(bigEndian: value.bitPattern) }
    return bytes
  }

  /// Reads what ``bytes`` wrote.
  init(_ bytes: [UInt8]) throws(StoreFault) {
    guard bytes.count == 57, bytes[0] < 2 else { throw StoreFault(.corrupt, "a sealed row is of another form") }
    var rest = bytes.dropFirst()
    func real() -> Double { Double(bitPattern: rest.takeBigEndian()) }
    closest = rest.takeBigEndian()
    let time: Int64 = rest.takeBigEndian()
    obstructed = bytes[0] == 0 ? nil : time
    distance = real()
    x = real()
    y = real()
    separationX = real()
    separationY = real()
  }

  /// Encrypts it for a contact.
  /// - Parameter row: the key of the row: first, second, start, floor and venue.
  func sealed(under key: SymmetricKey, _ row: [Int64]) throws(StoreFault) -> [UInt8] {
    try RowSeal.seal(bytes, under: key, for: Self.identity(row))
  }

  /// Decrypts the meeting of a contact.
  init(_ sealed: [UInt8], under key: SymmetricKey, _ row: [Int64]) throws(StoreFault) {
    try self.init(try RowSeal.open(sealed, under: key, for: Self.identity(row)))
  }

  private static func identity(_ row: [Int64]) -> [UInt8] {
    var bytes = Array("contact".utf8)
    for number in row { bytes.append(bigEndian: number) }
    return bytes
  }
}

extension ArraySlice<UInt8> {
  /// Takes a number from the front, most significant byte first. Missing bytes count as zero.
  mutating func takeBigEndian<T: FixedWidthInteger>() -> T {
    var value: T = 0
    for byte in prefix(T.bitWidth / 8) { value = value << 8 | T(truncatingIfNeeded: byte) }
    self = dropFirst(T.bitWidth / 8)
    return value
  }
}
