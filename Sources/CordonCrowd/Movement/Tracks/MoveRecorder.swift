import CordonGeometry

/// Receives the moves of a person without a body, in order.
protocol MoveRecorder {
  /// Adds a move between two points of a floor at constant speed.
  /// - Parameter floor: the ordinal of the floor, in thousandths.
  mutating func advance(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32)

  /// Adds half of a ride.
  /// - Parameter seconds: the duration of the whole ride.
  mutating func ride(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32)
}

/// Moves that are kept, to be recorded later, in part, or not at all.
struct MoveList: MoveRecorder {
  private(set) var moves: [Move] = []

  /// A move between two points of a floor.
  struct Move {
    var seconds: Double
    var from: PlanePoint
    var to: PlanePoint
    /// The ordinal of the floor, in thousandths.
    var floor: Int32
    /// Whether it is half of a ride of `seconds`.
    var isRide = false

    /// Adds the move to a recorder.
    func record(in recorder: inout some MoveRecorder) {
      if isRide {
        recorder.ride(seconds: seconds, from: from, to: to, floor: floor)
      } else {
        recorder.advance(seconds: seconds, from: from, to: to, floor: floor)
      }
    }
  }

  mutating func advance(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32) {
    moves.append(Move(seconds: seconds, from: a, to: b, floor: floor))
  }

  mutating func ride(seconds: Double, from a: PlanePoint, to b: PlanePoint, floor: Int32) {
    moves.append(Move(seconds: seconds, from: a, to: b, floor: floor, isRide: true))
  }

  /// Cuts a way into a space at the last point that is outside of all spaces with a limit, and clear of that one.
  /// - Returns: the moves up to that point, which are none if the whole way is in such spaces, and those after it.
  func cut(before space: Int, of spaces: LimitedSpaces) -> (walked: [Move], rest: [Move]) {
    for index in moves.indices.reversed() where !moves[index].isRide {
      let move = moves[index]
      let part = PlaneSegment(move.to, move.from)
      let samples = max(Int(part.length / LimitedSpaces.sampling), 1)
      for sample in 0...samples {
        let share = Double(sample) / Double(samples)
        let point = part.point(at: share)
        guard spaces.index(at: point, ordinal: move.floor) == nil,
          spaces.isClear(of: space, at: point, ordinal: move.floor)
        else { continue }
        var (before, after) = (move, move)
        (before.to, before.seconds) = (point, move.seconds * (1 - share))
        (after.from, after.seconds) = (point, move.seconds * share)
        return (Array(moves[..<index]) + [before], [after] + Array(moves[(index + 1)...]))
      }
    }
    return ([], moves)
  }
}
