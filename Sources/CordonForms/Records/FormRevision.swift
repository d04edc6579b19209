package import CordonCore
package import CordonSupport
import CordonWire

/// One state of a record: the answers that a device stored at a time, after the revisions that it knew.
///
/// Its identifier is the SHA-256 of its contents as canonical JSON (RFC 8785), so a revision cannot be changed without another identifier, and the same
/// revision never counts twice.
package struct FormRevision: Hashable, Sendable {
  /// The identifier: 64 hexadecimal digits.
  package let id: String
  /// The record, a UUID in lower case.
  package let record: String
  /// The form.
  package let form: String
  /// The version of the form.
  package let version: Int
  /// The identifiers of the revisions that this one replaces, in ascending order; none for the first one.
  package let parents: [String]
  /// The pseudonym of the device that stored it.
  package let device: String
  /// The time of the device.
  package let time: Instant
  /// The answers as ``FormAnswers/json``; `nil` for a deleted record.
  package let answers: JSONValue?

  /// Maximum number of parents.
  package static let maximumParents = 64
  /// Maximum length of the answers as canonical JSON, bytes.
  package static let maximumBytes = 256 << 10

  /// Revisions with the same identifier have the same contents.
  package static func == (one: FormRevision, other: FormRevision) -> Bool { one.id == other.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// Creates a revision.
  package init(
    record: String, form: String, version: Int, parents: [String], device: String, time: Instant, answers: JSONValue?
  ) {
    self.record = record
    self.form = form
    self.version = version
    self.parents = Set(parents).sorted()
    self.device = device
    self.time = time
    // `null` stands for a deleted record, however it is stated.
    if case .some(.null) = answers { self.answers = Optional<JSONValue>.none } else { self.answers = answers }
    id = SHA256.hexDigest(
      of: Array(
        FormRevision.contents(
          record: record, form: form, version: version, parents: self.parents, device: device, time: time,
          answers: self.answers
        ).canonicalText.utf8))
  }

  private static func contents(
    record: String, form: String, version: Int, parents: [String], device: String, time: Instant, answers: JSONValue?
  ) -> JSONValue {
    [
      "record": .string(record), "form": .string(form), "version": .integer(Int64(version)),
      "parents": .array(parents.map(JSONValue.string)), "device": .string(device), "time": .string(time.rfc3339),
      "answers": answers ?? .null,
    ]
  }

  /// The revision as JSON, with its identifier first.
  package var json: JSONValue {
    let contents = FormRevision.contents(
      record: record, form: form, version: version, parents: parents, device: device, time: time, answers: answers)
    return .object([.init("id", .string(id))] + (contents.members ?? []))
  }

  /// Reads a revision, and checks that its identifier fits its contents.
  /// - Throws: ``FormError`` with the place.
  package init(json: JSONValue) throws(FormError) {
    let node = try FormNode(
      json, path: "", keys: ["id", "record", "form", "version", "parents", "device", "time", "answers"])
    let record = try node.need("record").text()
    guard FormRevision.isUUID(record) else { throw FormError("record", "has to be a UUID in lower case") }
    let time: Instant
    do { time = try Instant(rfc3339: try node.need("time").text()) } catch {
      throw FormError("time", "has to be a time such as 2026-01-31T09:30:00Z")
    }
    let parents = try node.list("parents")?.map { parent throws(FormError) in try parent.text() } ?? []
    guard parents.count <= FormRevision.maximumParents, parents.allSatisfy(FormRevision.isIdentifier) else {
      throw FormError("parents", "has to be at most 64 identifiers of revisions")
    }
    let answers = try node.need("answers")
    guard answers.value == .null || answers.value.members != nil else {
      throw FormError("answers", "has to be an object, or null for a deleted record")
    }
    guard answers.value.canonicalText.utf8.count <= FormRevision.maximumBytes else {
      throw FormError("answers", "has more than 256 KiB")
    }
    let device = try node.need("device").text()
    guard !device.isEmpty, device.count <= 128 else { throw FormError("device", "has to have 1 to 128 characters") }
    self.init(
      record: record, form: try node.need("form").text(), version: try node.need("version").whole(in: 1...1_000_000),
      parents: parents, device: device, time: time, answers: answers.value)
    guard try node.need("id").text() == id else { throw FormError("id", "does not fit the contents of the revision") }
  }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
  }

  /// Whether a text is a UUID in lower case, the name of a record.
  package static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index)
        ? byte == 0x2D : (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
    }
  }
}
