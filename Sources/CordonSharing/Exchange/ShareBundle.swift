internal import CordonForms
internal import CordonSupport

/// Records of a form in one message, signed by the sharer: revisions and erased records, never statements of a database.
///
/// The signature is over the canonical JSON (RFC 8785). A bundle names its pairing and its number, so that it is good once, in
/// its place, for the two devices whose persons compared the codes.
struct ShareBundle: Sendable {
  /// The identifiers of erased records, in ascending order.
  var erased: [String] = []
  /// The revisions, parents before children.
  var revisions: [FormRevision] = []
  /// The number of the bundle, from 0.
  var index = 0
  /// Whether it is the last one.
  var isLast = false

  /// Maximum number of revisions and erased records in a bundle.
  static let maximumEntries = 500
  /// Length of the revisions from which a bundle ends, bytes.
  private static let usualBytes = 512 << 10

  /// Returns the bundles of records; one that is empty for none.
  static func bundles(of records: FormRecords) -> [ShareBundle] {
    var bundles = [ShareBundle()]
    var (bytes, last) = (0, 0)
    func begin() {
      last += 1
      bytes = 0
      bundles.append(ShareBundle(index: last))
    }
    for record in records.erased.sorted() {
      if bundles[last].count >= maximumEntries { begin() }
      bundles[last].erased.append(record)
    }
    for revision in records.missing(in: []) {
      let size = revision.json.canonicalText.utf8.count
      if bundles[last].count >= maximumEntries || bytes > 0 && bytes + size > usualBytes { begin() }
      bundles[last].revisions.append(revision)
      bytes += size
    }
    bundles[last].isLast = true
    return bundles
  }

  /// The number of revisions and erased records.
  var count: Int { erased.count + revisions.count }

  /// Returns the signed message.
  func message(form: Form, pairing: String, identity: ShareIdentity) throws(ShareError) -> ShareMessage {
    let json: JSONValue = [
      "protocol": .string(ShareMessage.version), "pairing": .string(pairing), "index": JSONValue(index),
      "last": .bool(isLast), "form": .string(form.id), "version": JSONValue(form.version),
      "erased": .array(erased.map(JSONValue.string)), "revisions": .array(revisions.map(\.json)),
    ]
    return .bundle(json, signature: try identity.signature(of: Array(json.canonicalText.utf8)))
  }

  /// Reads and checks a bundle.
  ///
  /// - Parameters:
  ///   - sharer: the public key of the sharer.
  ///   - pairing: the name of the pairing.
  ///   - index: the number that the bundle must have.
  ///   - form: the form that the receiver has.
  /// - Throws: ``ShareError`` with the place.
  init(
    _ json: JSONValue, signature: [UInt8], sharer: [UInt8], pairing: String, index: Int, form: Form
  ) throws(ShareError) {
    let place = "bundle \(index + 1)"
    // Nothing of it is read before its author is known.
    guard ShareIdentity.isValid(signature, of: Array(json.canonicalText.utf8), by: sharer) else {
      throw ShareError(.signature, place, "is not signed by the other device")
    }
    let keys = ["protocol", "pairing", "index", "last", "form", "version", "erased", "revisions"]
    guard let members = json.members, members.count == keys.count, Set(members.map(\.key)) == Set(keys),
      json["protocol"] == .string(ShareMessage.version), case .bool(let last)? = json["last"],
      let listed = json["revisions"]?.elements, let gone = json["erased"]?.elements
    else { throw ShareError(.malformed, place, "has other members than \(keys.joined(separator: ", "))") }
    guard json["pairing"] == .string(pairing) else {
      throw ShareError(.replayed, "\(place).pairing", "is that of another pairing")
    }
    guard json["index"] == JSONValue(index) else {
      throw ShareError(.replayed, "\(place).index", "has to be \(index): a bundle is missing, or came before")
    }
    guard json["form"] == .string(form.id) else {
      throw ShareError(.otherForm, "\(place).form", "is another form than \(form.id)")
    }
    guard let version = json["version"]?.integerValue, version <= form.version else {
      throw ShareError(
        .otherForm, "\(place).version", "is later than version \(form.version), which this device has")
    }
    guard listed.count + gone.count <= ShareBundle.maximumEntries else {
      throw ShareError(.oversize, place, "has more than \(ShareBundle.maximumEntries) revisions and erased records")
    }
    self.index = index
    isLast = last
    for (number, one) in gone.enumerated() {
      guard let record = one.stringValue, FormRevision.isUUID(record) else {
        throw ShareError(.invalid, "\(place).erased[\(number)]", "has to be a UUID in lower case")
      }
      erased.append(record)
    }
    for (number, one) in listed.enumerated() {
      revisions.append(try ShareBundle.revision(one, of: form, place: "\(place).revisions[\(number)]"))
    }
  }

  private init(index: Int = 0) { self.index = index }

  private static func revision(
    _ json: JSONValue, of form: Form, place: String
  ) throws(ShareError) -> FormRevision {
    let revision: FormRevision
    do throws(FormError) {
      revision = try FormRevision(json: json)
    } catch {
      throw ShareError(.invalid, error.path.isEmpty ? place : "\(place).\(error.path)", error.message)
    }
    guard revision.form == form.id else {
      throw ShareError(.otherForm, "\(place).form", "is another form than \(form.id)")
    }
    guard revision.version <= form.version else {
      throw ShareError(
        .otherForm, "\(place).version", "is later than version \(form.version), which this device has")
    }
    // Earlier versions were checked by the device that stored them; this one has their documents no longer.
    if revision.version == form.version, let issue = revision.issues(in: form).first {
      throw ShareError(.invalid, "\(place).answers.\(issue.path)", issue.message)
    }
    return revision
  }
}
