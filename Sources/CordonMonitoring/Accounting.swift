/// The fate of every fix. Each fix is counted in exactly one place.
///
/// `fixes = refused + thinned + held + stored`, and `stored = acknowledged + onPhone + quarantined + expired +
/// erased`; both hold after every step. Counts saturate at 0 and at the largest number; they never wrap.
public struct Accounting: Hashable, Sendable {
  /// Fixes that the monitor received.
  public package(set) var fixes: UInt64 = 0
  /// Accepted fixes that were dropped because their interval already has a location.
  public package(set) var thinned: UInt64 = 0
  /// 1 while the best fix of the running interval waits for the interval's end.
  public package(set) var held: UInt64 = 0
  /// Fixes that became locations.
  public package(set) var stored: UInt64 = 0
  /// Locations that every required sink has confirmed.
  public package(set) var acknowledged: UInt64 = 0
  /// Locations that a sink refused for good; they stay on the device, where the owner can see them.
  public package(set) var quarantined: UInt64 = 0
  /// Locations that a limit removed.
  public var expired: UInt64 {
    var count = expiredByAge
    for other in [expiredByRows, expiredByBytes, expiredByKey] { count.increase(by: other) }
    return count
  }
  /// Locations older than ``MonitorConfiguration/maximumAge``.
  public package(set) var expiredByAge: UInt64 = 0
  /// Locations removed because of ``MonitorConfiguration/maximumRows``.
  public package(set) var expiredByRows: UInt64 = 0
  /// Locations removed because of ``MonitorConfiguration/maximumBytes``.
  public package(set) var expiredByBytes: UInt64 = 0
  /// Locations that became unreadable: the key that sealed them is lost, or their bytes are damaged.
  public package(set) var expiredByKey: UInt64 = 0
  /// Locations removed by a withdrawal of consent, or because the server reported that it erased the device.
  public package(set) var erased: UInt64 = 0
  private var refusals = RefusalCounts()

  /// All counts are 0.
  public init() {}

  /// Fixes refused for one reason.
  public package(set) subscript(reason: RefusalReason) -> UInt64 {
    get { refusals[reason.index] }
    set { refusals[reason.index] = newValue }
  }

  /// Accepted fixes that software generated; see ``MonitorConfiguration/acceptsMocked``.
  public package(set) var mocked: UInt64 = 0

  /// Fixes refused for any reason.
  public var refused: UInt64 { refusals.total }

  /// Locations that wait on the device for a sink.
  public var onPhone: UInt64 {
    var count = stored
    for gone in [acknowledged, quarantined, expired, erased] { count.decrease(by: gone) }
    return count
  }

  /// Adds another device's figures to these.
  public mutating func add(_ other: Accounting) {
    fixes.increase(by: other.fixes)
    thinned.increase(by: other.thinned)
    held.increase(by: other.held)
    stored.increase(by: other.stored)
    acknowledged.increase(by: other.acknowledged)
    quarantined.increase(by: other.quarantined)
    expiredByAge.increase(by: other.expiredByAge)
    expiredByRows.increase(by: other.expiredByRows)
    expiredByBytes.increase(by: other.expiredByBytes)
    expiredByKey.increase(by: other.expiredByKey)
    erased.increase(by: other.erased)
    mocked.increase(by: other.mocked)
    for reason in RefusalReason.allCases { self[reason].increase(by: other[reason]) }
  }
}

/// One count for each reason, stored inline: copying an ``Accounting`` allocates nothing.
private struct RefusalCounts: Hashable, Sendable {
  private var low = SIMD8<UInt64>()
  private var high = SIMD8<UInt64>()

  var total: UInt64 {
    var count: UInt64 = 0
    for index in 0..<8 {
      count.increase(by: low[index])
      count.increase(by: high[index])
    }
    return count
  }

  subscript(index: Int) -> UInt64 {
    get { index < 8 ? low[index] : high[index - 8] }
    set { if index < 8 { low[index] = newValue } else { high[index - 8] = newValue } }
  }
}

extension UInt64 {
  /// Adds to a count, which saturates at the largest number.
  package mutating func increase(by other: UInt64 = 1) {
    let (sum, overflow) = addingReportingOverflow(other)
    self = overflow ? .max : sum
  }

  /// Subtracts from a count, which saturates at 0.
  package mutating func decrease(by other: UInt64 = 1) { self = self > other ? self - other : 0 }

  /// Adds to a count, which saturates at the largest number. A negative number counts as 0.
  package mutating func increase(by other: Int) { increase(by: UInt64(Swift.max(other, 0))) }

  /// Subtracts from a count, which saturates at 0. A negative number counts as 0.
  package mutating func decrease(by other: Int) { decrease(by: UInt64(Swift.max(other, 0))) }
}
