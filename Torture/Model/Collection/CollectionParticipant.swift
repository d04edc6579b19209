import CordonCore
import CordonStudies
import CordonSupport

/// A participant of the study, and what their phone still has to send, in order.
struct CollectionParticipant {
  /// A request of the phone.
  enum Upload: Hashable {
    case events(JSONValue)
    /// The positions of a day.
    case locations(JSONValue)
    case leave
    case erase
  }

  /// The number of the sender.
  let number: Int
  let id: ParticipantID
  let key: String
  /// The reference at the provider of payments.
  let destination: String
  /// The longitude of all positions: a number that occurs nowhere else.
  let longitude: Double
  /// Waiting requests, oldest first.
  var uploads: [Upload] = []
  /// The number of the request whose answer is awaited; 0 for none.
  var awaited: UInt64 = 0
  /// The credits of all days with positions.
  var earned: Int64 = 0
  /// Whether the person pauses on the next day.
  var isToPause = false
  var hasLocation = true
  /// Whether the person has asked to leave or to be erased; the phone records nothing more.
  var isLeaving = false
  /// Whether the server has answered that the participant left.
  var hasLeft = false
  /// Whether the server has answered that the participant is erased.
  var isErased = false

  init(number: Int, enrolled: StudyService.Enrolled, destination: String) {
    self.number = number
    id = enrolled.participant.id
    key = enrolled.key
    self.destination = destination
    longitude = 13.4 + Double(number) * 0.012_345_678_9
  }

  /// Adds the event of a phone.
  mutating func add(
    _ kind: StudyEvent.Kind, at time: Instant, permission: StudyEvent.Permission? = nil, isGiven: Bool = false,
    _ random: inout RandomStream
  ) {
    var members: [JSONValue.Member] = [
      .init("id", .string(FixID(high: random.next(), low: random.next()).description)),
      .init("time", .integer(time.milliseconds)), .init("type", .string(kind.rawValue)),
    ]
    if let permission {
      members += [.init("permission", .string(permission.rawValue)), .init("value", .bool(isGiven))]
    }
    uploads.append(.events(["events": [.object(members)]]))
  }

  /// Adds the positions of a day: one a minute from its beginning, for a number of credits of ten minutes.
  mutating func walk(from start: Instant, credits: Int64, _ random: inout RandomStream) {
    // The time after the last position counts up to five minutes, so that the next credit is not reached either way.
    let rows = (0..<credits * 10 + 2).map { minute -> JSONValue in
      [
        "id": .string(FixID(high: random.next(), low: random.next()).description),
        "time": .integer((start + .minutes(minute)).milliseconds), "lon": .number(longitude),
        "lat": .number(52 + Double(minute) * 1e-4), "accuracy": 8, "activity": "walking",
      ]
    }
    uploads.append(.locations(["locations": .array(rows)]))
    earned += credits
  }
}

/// The books of a provider of payments, which recognises the keys of orders.
struct PaymentBooks {
  /// The answer to the next orders.
  enum Fate: Hashable {
    case pay
    /// The order is paid, and the answer is lost.
    case lose
    case refuse
  }

  /// The amount of each paid order by its key.
  private(set) var paid: [String: Int64] = [:]
  private var refused: Set<String> = []
  /// The amounts that each destination received.
  private(set) var received: [String: Int64] = [:]
  /// Orders with a key that was used for another amount.
  private(set) var changed = 0

  /// Pays an order once, however often it comes.
  mutating func pay(_ order: PaymentOrder, _ fate: Fate) -> PaymentResult {
    if refused.contains(order.key) { return .refused(reason: "status 402") }
    if let amount = paid[order.key] {
      if amount != order.amount { changed += 1 }
    } else if fate == .refuse {
      refused.insert(order.key)
      return .refused(reason: "status 402")
    } else {
      paid[order.key] = order.amount
      received[order.destination, default: 0] += order.amount
    }
    return fate == .lose ? .unknown(reason: "no answer") : .paid(reference: "ref-\(order.key.prefix(8))")
  }
}
