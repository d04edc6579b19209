package import CordonCore
package import CordonSupport

/// The body that answers `GET /v1/devices/{device}/notices`. Device and server read and write it with the same type.
package struct DeviceNotices: Hashable, Sendable {
  /// One exposure notice. It never states with whom, where, or at what time of the day.
  package struct Entry: Hashable, Sendable {
    /// The number on the server.
    package var number: Int64
    /// The name of the text.
    package var template: String
    /// The day of the exposure in UTC, such as `2026-01-05`.
    package var day: String
    /// What to do; empty for none.
    package var advice: String
    /// When it was made.
    package var created: Instant
    /// When it ends.
    package var expires: Instant
    /// When the person acknowledged it.
    package var acknowledged: Instant?

    package init(
      number: Int64, template: String, day: String, advice: String, created: Instant, expires: Instant,
      acknowledged: Instant?
    ) {
      self.number = number
      self.template = template
      self.day = day
      self.advice = advice
      self.created = created
      self.expires = expires
      self.acknowledged = acknowledged
    }

    /// Reads an entry; `nil` when a member is missing or too long.
    fileprivate init?(_ value: JSONValue) {
      guard let number = value["number"]?.integerValue, let template = value["template"]?.stringValue,
        let day = value["exposed_day"]?.stringValue, let created = value["created"]?.integerValue,
        let expires = value["expires"]?.integerValue, DeviceMessages.times.contains(created),
        DeviceMessages.times.contains(expires), template.utf8.count <= 64, day.utf8.count <= 10
      else { return nil }
      self.number = number
      self.template = template
      self.day = day
      advice = value["advice"]?.stringValue ?? ""
      guard advice.utf8.count <= 4_096 else { return nil }
      self.created = Instant(milliseconds: created)
      self.expires = Instant(milliseconds: expires)
      acknowledged = value["acknowledged"]?.integerValue.map(Instant.init(milliseconds:))
    }

    /// The entry as JSON.
    package var json: JSONValue {
      [
        "number": .integer(number), "template": .string(template), "exposed_day": .string(day),
        "advice": .string(advice), "created": .integer(created.milliseconds),
        "expires": .integer(expires.milliseconds),
        "acknowledged": acknowledged.map { .integer($0.milliseconds) } ?? .null,
      ]
    }
  }

  /// The notices, by number.
  package var entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }

  /// Reads a body. Entries that cannot be read are left out.
  package init(decoding body: [UInt8]) throws(WireError) {
    guard let list = try JSONReader.value(of: body)["notices"]?.elements else {
      throw WireError(offset: 0, "no member \"notices\"")
    }
    entries = list.compactMap(Entry.init)
  }

  /// The body as JSON.
  package var json: JSONValue { ["notices": .array(entries.map(\.json))] }
}
