/// Decides which direction may use a doorway where people meet.
///
/// Two groups that press against each other at a narrow door would block it without end. If a person is stuck at a
/// doorway that people want to pass in both directions, one direction gets a turn. The others step aside and leave a
/// lane. The turn ends when one direction has no people left, and it changes after ``maximumTurn`` seconds.
struct DoorArbiter {
  /// By doorway: 1 if people who go to the left of its line have the turn, -1 for the others, 0 for both.
  private(set) var current: [Int8]
  private var seconds: [Float]
  private var tallies: [Tally]
  private var touched: [Int] = []

  private struct Tally {
    var left: Int32 = 0
    var right: Int32 = 0
    /// Number of people in the doorway itself: leftward minus rightward.
    var inside: Int32 = 0
    var isStuck = false
  }

  /// Distance from a doorway within which people are counted, in metres.
  static let reach = 2.5
  /// Maximum duration of a turn while others wait, in seconds.
  static let maximumTurn: Float = 6
  /// Time without progress after which a person counts as stuck, in seconds.
  static let patience: Float = 1

  init(doorways: Int) {
    current = Array(repeating: 0, count: doorways)
    seconds = Array(repeating: 0, count: doorways)
    tallies = Array(repeating: Tally(), count: doorways)
  }

  /// Checks whether a person who wants to pass has to step aside.
  @inline(__always)
  func isAgainst(_ turn: Int32) -> Bool {
    guard turn != 0 else { return false }
    let index = Int(abs(turn)) - 1
    guard index < current.count else { return false }
    let now = current[index]
    return now != 0 && (now > 0) != (turn > 0)
  }

  /// Counts a person near a doorway.
  mutating func count(_ turn: Int32, isInside: Bool, blocked: Float) {
    let index = Int(abs(turn)) - 1
    guard tallies.indices.contains(index) else { return }
    if tallies[index].left == 0, tallies[index].right == 0 { touched.append(index) }
    if turn > 0 { tallies[index].left += 1 } else { tallies[index].right += 1 }
    if isInside { tallies[index].inside += turn > 0 ? 1 : -1 }
    if blocked > DoorArbiter.patience { tallies[index].isStuck = true }
  }

  /// Assigns the turns after all people have been counted.
  mutating func finish(seconds step: Float) {
    for index in touched {
      let tally = tallies[index]
      tallies[index] = Tally()
      guard tally.left > 0, tally.right > 0 else {
        current[index] = 0
        continue
      }
      if current[index] == 0 {
        guard tally.isStuck else { continue }
        let lead = tally.inside != 0 ? tally.inside : tally.left - tally.right
        current[index] = lead >= 0 ? 1 : -1
        seconds[index] = 0
      } else {
        seconds[index] += step
        if seconds[index] > DoorArbiter.maximumTurn {
          current[index] = -current[index]
          seconds[index] = 0
        }
      }
    }
    touched.removeAll(keepingCapacity: true)
  }
}
