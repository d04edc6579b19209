package import CordonSupport
import CordonWire

/// A file of records: on each line a revision as ``FormRevision/json``, an erased record as `{"erased": "UUID"}`, or a list of
/// both as a server answers: `{"revisions": [...], "erased": [...]}`.
extension FormRecords {
  /// Maximum size of a file, in bytes.
  package static let maximumFileBytes = 64 << 20
  /// Maximum number of revisions and erased records in a file.
  package static let maximumEntries = 100_000

  /// The number of revisions and erased records.
  package var entryCount: Int { identifiers.count + erased.count }

  /// Whether a line is one of a file of records, and not of answers.
  package static func isLine(_ json: JSONValue) -> Bool {
    let keys = Set((json.members ?? []).map(\.key))
    if keys == ["erased"] {
      return json["erased"]?.elements != nil || FormRevision.isUUID(json["erased"]?.stringValue ?? "")
    }
    return keys == ["id", "record", "form", "version", "parents", "device", "time", "answers"]
      || keys.isSuperset(of: ["revisions", "erased"])
  }

  /// Adds the lines of a file. Blank lines are skipped, and a revision that is there already changes nothing.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - form: the identifier of the form that all revisions must have.
  /// - Throws: ``FormError`` with the line; the records are as before then.
  package mutating func add(lines bytes: [UInt8], form: String) throws(FormError) {
    guard bytes.count <= FormRecords.maximumFileBytes else { throw FormError("", "is larger than 64 MiB") }
    var next = self
    var count = next.entryCount
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      let place = "line \(index + 1)"
      let json: JSONValue
      do throws(WireError) {
        json = try JSONReader.value(of: Array(line))
      } catch {
        throw FormError(place, "is not JSON: \(error.reason)")
      }
      do throws(FormError) {
        count += try next.add(line: json, form: form)
      } catch {
        throw FormError(error.path.isEmpty ? place : "\(place): \(error.path)", error.message)
      }
      guard count <= FormRecords.maximumEntries else {
        throw FormError(place, "has more than \(FormRecords.maximumEntries) revisions and erased records")
      }
    }
    self = next
  }

  /// Adds one line. Returns the number of entries on it.
  private mutating func add(line json: JSONValue, form: String) throws(FormError) -> Int {
    guard FormRecords.isLine(json) else {
      throw FormError("", "is not a record; 'cordon form records' makes records of answers")
    }
    if json["record"] != nil {
      try add(json: json, form: form)
      return 1
    }
    let revisions = json["revisions"]?.elements ?? []
    for (index, one) in revisions.enumerated() {
      do throws(FormError) {
        try add(json: one, form: form)
      } catch {
        throw FormError("revisions[\(index)]" + (error.path.isEmpty ? "" : ".\(error.path)"), error.message)
      }
    }
    let gone = json["erased"]?.elements ?? json["erased"].map { [$0] } ?? []
    for (index, one) in gone.enumerated() {
      guard let record = one.stringValue, FormRevision.isUUID(record) else {
        throw FormError("erased[\(index)]", "has to be a UUID in lower case")
      }
      erase(record)
    }
    return revisions.count + gone.count
  }

  /// Adds a revision of a form, as JSON.
  private mutating func add(json: JSONValue, form: String) throws(FormError) {
    let revision = try FormRevision(json: json)
    guard revision.form == form, add(revision) != .otherForm else {
      throw FormError("form", "is another form than \(Quotation.of(form, limit: 64))")
    }
  }

  /// The file: erased records first, then revisions by record, parents before children.
  package var lines: String {
    var text = ""
    for record in erased.sorted() { text += JSONValue.object([.init("erased", .string(record))]).text() + "\n" }
    for revision in missing(in: []) { text += revision.json.text() + "\n" }
    return text
  }
}
