/// Room on the disk that is kept free for erasures and withdrawals: a full disk must not stand in their way.
package protocol SpaceReserve: AnyObject {
  /// Whether the room is held. While it is not, no rows are taken, so that they do not fill it.
  var isWhole: Bool { get }
  /// Whether there is little room besides.
  var isNearlyFull: Bool { get }
  /// Gives the room to the next write; returns whether there was any.
  func release() -> Bool
  /// Takes the room again, if there is enough.
  func restore()
}
