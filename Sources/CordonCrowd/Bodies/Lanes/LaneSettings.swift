import CordonCore

/// Where people walk between two walls: lanes, the side on which people pass each other, and corners.
///
/// Each person prefers a place between the walls. In the corridor experiments of HERMES (2009) people kept their lane
/// within 5 cm over 4 m. ``wallMargin`` is fitted to the distribution measured there; see `LateralMeasurement`.
package struct LaneSettings: Hashable, Sendable {
  /// The side on which people pass each other, seen in their own walking direction.
  package enum Side: String, Hashable, Sendable, CaseIterable {
    case right, left
  }

  /// The side on which people pass each other.
  package var side = Side.right
  /// Distance between a wall and the outermost lane, in metres.
  package var wallMargin = 0.45
  /// Share of the width that people use who keep to their side.
  package var sideShare = 0.4
  /// Share of the width that people use at corners, where they do not see who comes.
  package var cornerShare = 0.6
  /// Distance within which people notice those who come towards them, in metres.
  package var meetingDistance = 6.0
  /// Time for which people keep to their side after they met somebody, in seconds.
  package var memory = 4.0
  /// Turn towards the lane for each metre of distance from it, and its limit; both are tangents of an angle.
  package var gain = 0.5
  package var maximumTurn = 0.4
  /// Distance from a single wall, without another one opposite, within which the outermost lanes vary, in metres.
  package var openWidth = 0.8

  /// Creates the default settings.
  package init() {}

  /// Distance within which walls line a lane, in metres. In wider places people keep off each wall separately.
  static let reach = 2.0
  private static let stream: UInt32 = 0x6c61_6e65

  /// Returns the number of steps after which a person looks for walls and for others again: about 0.4 s, a power of two.
  /// - Parameter seconds: the length of a step, in seconds.
  @inline(__always)
  static func period(_ seconds: Double) -> Int { seconds > 0.075 ? 4 : 8 }

  /// Returns the preferred place of a person between two walls, from 0 (right) to 1 (left), evenly distributed.
  static func preference(of person: Int, seed: UInt64) -> Double {
    var random = RandomStream(seed: seed, stream: stream, entity: UInt64(person))
    return random.nextUnit()
  }

  /// Moves a preferred place to the people's side.
  /// - Parameter share: the share of the width that people use.
  @inline(__always)
  func keeping(_ preference: Double, share: Double) -> Double {
    side == .right ? preference * share : 1 - (1 - preference) * share
  }
}
