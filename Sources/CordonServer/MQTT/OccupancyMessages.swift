internal import CordonCore
internal import CordonIngest
internal import CordonSupport

/// The messages of occupancy: the state of each space, and its description for Home Assistant.
///
/// The numbers are those that viewers see: closed bins, multiples of the smallest count.
struct OccupancyMessages: Hashable, Sendable {
  /// A venue as it is published.
  struct Venue: Hashable, Sendable {
    var id: VenueID
    var name: String
    var spaces: [ViewerSpace]
  }

  /// The first levels of topics.
  var topic: String
  /// The first level of discovery; `nil` for none.
  var discovery: String?

  /// The topic of the server's state.
  var statusTopic: String { topic + "/status" }

  /// The state of the server. The broker publishes the state of a server that is gone, as its will.
  func status(isOnline: Bool) -> MQTTMessage {
    MQTTMessage(statusTopic, Array((isOnline ? "online" : "offline").utf8), isRetained: true, quality: isOnline ? 0 : 1)
  }

  private func stateTopic(_ venue: VenueID, _ space: SpaceID) -> String {
    "\(topic)/\(Self.level(venue.rawValue))/\(Self.level(space.rawValue))/occupancy"
  }

  /// The states of all spaces of a venue in a bin. A space without a number has fewer devices than the smallest count, which is 0.
  func states(of venue: Venue, in bin: ViewerBin) -> [MQTTMessage] {
    venue.spaces.map { space in
      let value: JSONValue = [
        "devices": .integer(bin.spaces[space.id] ?? 0), "from": .string(bin.start.rfc3339),
        "to": .string(bin.end.rfc3339),
      ]
      return MQTTMessage(stateTopic(venue.id, space.id), Array(value.text().utf8), isRetained: true)
    }
  }

  /// The descriptions of all spaces of a venue: a sensor each, and the venue as the device that has them.
  func descriptions(of venue: Venue) -> [MQTTMessage] {
    guard let discovery else { return [] }
    return venue.spaces.map { space in
      let id = Self.identifier(venue.id, space.id)
      let value: JSONValue = [
        "name": .string(space.id.rawValue), "unique_id": .string(id), "object_id": .string(id),
        "state_topic": .string(stateTopic(venue.id, space.id)), "value_template": "{{ value_json.devices }}",
        "json_attributes_topic": .string(stateTopic(venue.id, space.id)), "state_class": "measurement",
        "unit_of_measurement": "devices", "icon": "mdi:account-group", "availability_topic": .string(statusTopic),
        "device": [
          "identifiers": .array([.string("cordon_\(Self.hash(venue.id.rawValue))")]), "name": .string(venue.name),
          "manufacturer": "Cordon", "model": "venue",
        ],
      ]
      return MQTTMessage(topic(ofDescription: id, discovery), Array(value.text().utf8), isRetained: true)
    }
  }

  /// The messages that remove spaces which a venue no longer has: an empty message deletes a retained one.
  func removals(of spaces: [SpaceID], in venue: VenueID) -> [MQTTMessage] {
    spaces.flatMap { space in
      let description = discovery.map { topic(ofDescription: Self.identifier(venue, space), $0) }
      return ([stateTopic(venue, space)] + [description].compactMap { $0 }).map {
        MQTTMessage($0, [], isRetained: true)
      }
    }
  }

  private func topic(ofDescription id: String, _ discovery: String) -> String { "\(discovery)/sensor/\(id)/config" }

  private static func identifier(_ venue: VenueID, _ space: SpaceID) -> String {
    "cordon_\(hash(venue.rawValue + "\n" + space.rawValue))"
  }

  private static func hash(_ text: String) -> String { String(SHA256.hexDigest(of: Array(text.utf8)).prefix(16)) }

  /// One level of a topic: other bytes than letters, digits, `-`, `_`, `.` and `~` are percent-encoded.
  static func level(_ text: String) -> String { PercentEncoding.encode(text) }
}
