import CordonCollection

/// What happens in a run with forms and studies.
enum CollectionWork {
  /// The person at a copy changes a record.
  case edit(Int)
  /// A copy exchanges records.
  case exchange(Int, isRegular: Bool)
  /// The phone of a participant sends what waits.
  case upload(Int)
  /// The day of a participant ends.
  case day(Int)
  /// An operator makes a case and a rule about devices.
  case operate
  /// The jobs of the server.
  case job
  /// A planned fault.
  case fault(PlannedCollectionFault)
  /// A request reaches the server.
  case arrive(CollectionMessage)
  /// The server answers an exchange whose sender it checked before.
  case perform(CollectionMessage, FormSender)
  /// A response reaches its sender.
  case answer(CollectionMessage, CollectionServer.Answer)
  case restart
  /// A full disk has room again.
  case room
  /// An operator asks for an erasure, again and again until it succeeds.
  case erase(CollectionErasure)
}

/// A request on its way.
struct CollectionMessage {
  /// The contents of a request.
  enum Body {
    case exchange([UInt8])
    case upload(CollectionParticipant.Upload)
  }

  /// Counts on.
  var number: UInt64
  var sender: Int
  /// How often the sender had lost its copy.
  var losses: Int
  /// The number of the holder who sent it.
  var holder = 0
  var body: Body
  var isAnswerLost = false
}

/// An erasure that an operator, or the device itself, asks for.
enum CollectionErasure: Hashable {
  /// A record; `byDevice` is the sender that asks for it, `nil` for an operator.
  case record(String, byDevice: Int?)
  /// The device of a sender.
  case device(Int)
  /// The data of the holders of a sender's device up to one.
  case holders(Int, upTo: Int)
}

/// The work of a run in the order of its times; equal times in the order in which they were added.
struct CollectionAgenda {
  private var entries: [(time: Int64, work: CollectionWork)] = []

  /// Adds work. Complexity: O(*n*).
  mutating func add(_ work: CollectionWork, at time: Int64) {
    // The list descends, so that the next work is its last.
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time > time { low = middle + 1 } else { high = middle }
    }
    entries.insert((time, work), at: low)
  }

  /// Removes and returns the next work before a time.
  mutating func next(before end: Int64) -> (time: Int64, work: CollectionWork)? {
    guard let last = entries.last, last.time < end else { return nil }
    return entries.popLast()
  }

  /// Whether a request of a sender is under way.
  func hasRequest(of sender: Int) -> Bool {
    entries.contains { entry in
      switch entry.work {
      case .arrive(let message), .perform(let message, _): message.sender == sender
      default: false
      }
    }
  }
}
