package import CordonCore
package import CordonSupport

extension FormRevision {
  /// Creates the first revision of the record of answers that have no identifier yet, such as the line of an exported file.
  ///
  /// The record is a UUID of version 8 (RFC 9562) from the SHA-256 of all arguments: the same line of the same device is the same
  /// record, however often it is converted.
  /// - Parameter occurrence: the number of equal answers before these, so that two persons with equal answers are two records.
  package init(
    answers: JSONValue, of form: Form, device: String, time: Instant, occurrence: Int
  ) {
    let contents: JSONValue = [
      "answers": answers, "device": .string(device), "form": .string(form.id),
      "occurrence": .integer(Int64(occurrence)), "time": .string(time.rfc3339),
      "version": .integer(Int64(form.version)),
    ]
    var digits = Array(SHA256.hexDigest(of: Array(contents.canonicalText.utf8)).prefix(32))
    digits[12] = "8"
    digits[16] = "8"
    var record = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { record.append("-") }
      record.append(digit)
    }
    self.init(
      record: record, form: form.id, version: form.version, parents: [], device: device, time: time, answers: answers)
  }

  /// Checks the answers against the form of their version. The day where the person is can be the one before or after the day in
  /// UTC: answers are valid if they are on one of the three.
  /// - Returns: the reasons on the day in UTC; none for valid answers and for a deleted record.
  package func issues(in form: Form) -> [FormIssue] {
    guard let answers else { return [] }
    let day = Int((Double(time.milliseconds) / 86_400_000).rounded(.down))
    var first: [FormIssue] = []
    for today in [day, day + 1, day - 1] {
      let issues = FormValidation(answers, of: form, today: FormDate(days: today)).issues
      if issues.isEmpty { return [] }
      if today == day { first = issues }
    }
    return first
  }
}
