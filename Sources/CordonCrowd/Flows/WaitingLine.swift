/// The customers who wait for service, in the order in which they will be served.
///
/// Customers with equal times keep the order of their arrival. Adding a customer at the end and removing the first one
/// take constant time on average.
struct WaitingLine: Sendable {
  struct Entry: Sendable {
    var customer: Int
    /// The time of arrival in the queue, in milliseconds since 1970.
    var since: Int64
    /// The time that decides the order.
    var rank: Int64
  }

  private let order: QueueingStation.Order
  private var entries: [Entry] = []
  /// The index of the first customer; entries before it have been served.
  private var head = 0

  /// The number of served entries from which they are removed.
  private static let minimumServed = 64

  init(order: QueueingStation.Order) { self.order = order }

  var count: Int { entries.count - head }

  var customers: [Int] { entries[head...].map(\.customer) }

  func position(of customer: Int) -> Int? {
    entries[head...].firstIndex { $0.customer == customer }.map { $0 - head }
  }

  mutating func add(_ customer: Int, at time: Int64, appointment: Int64?) {
    let rank = order == .appointment ? appointment ?? time : time
    var place = entries.count
    while place > head, entries[place - 1].rank > rank { place -= 1 }
    entries.insert(Entry(customer: customer, since: time, rank: rank), at: place)
  }

  mutating func removeFirst() -> Entry? {
    guard head < entries.count else { return nil }
    let first = entries[head]
    head += 1
    if head >= Self.minimumServed, head * 2 > entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return first
  }

  mutating func remove(_ customer: Int) -> Bool {
    guard let place = entries[head...].firstIndex(where: { $0.customer == customer }) else { return false }
    entries.remove(at: place)
    return true
  }
}
