/// The counts of a queue, and its length over time.
package struct QueueRecord: Hashable, Sendable {
  /// The number of customers who joined.
  package private(set) var joined = 0
  /// The number of services that began.
  package private(set) var begun = 0
  /// The number of services that ended.
  package var completed = 0
  /// The number of customers who left the queue unserved.
  package var withdrawn = 0
  /// The maximum number of waiting customers.
  package private(set) var longest = 0
  /// The sum of the waits of customers whose service began, in milliseconds.
  package private(set) var waited: Int64 = 0
  /// The integrals of the numbers of waiting customers and of busy servers over time, in milliseconds.
  private var waitingTime: Int64 = 0
  private var busyTime: Int64 = 0
  /// The times of the first and the last event, in milliseconds since 1970.
  private var start: Int64?
  private var last: Int64 = 0

  /// Creates an empty record.
  package init() {}

  /// The mean wait of customers whose service began, in seconds; 0 without any.
  package var meanWait: Double { begun > 0 ? Double(waited) / Double(begun) / 1_000 : 0 }

  /// The mean number of waiting customers from the first event to the last one.
  package var meanLength: Double { Double(waitingTime) / Double(max(span, 1)) }

  /// The mean number of busy servers from the first event to the last one.
  package var meanBusy: Double { Double(busyTime) / Double(max(span, 1)) }

  private var span: Int64 { start.map { last - $0 } ?? 0 }

  /// Adds the time since the last event, during which the numbers were constant.
  mutating func advance(to time: Int64, waiting: Int, busy: Int) {
    guard start != nil else {
      start = time
      last = time
      return
    }
    let passed = max(time - last, 0)
    waitingTime += passed * Int64(waiting)
    busyTime += passed * Int64(busy)
    last = max(time, last)
  }

  mutating func join(waiting: Int) {
    joined += 1
    longest = max(longest, waiting)
  }

  mutating func begin(waited: Int64) {
    begun += 1
    self.waited += waited
  }
}
