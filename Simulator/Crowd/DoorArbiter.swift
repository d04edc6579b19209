/// Decides which direction may use a doorway where people meet.
///
/// Two crowds that press against each other at a narrow door would stand there for ever. When a person is stuck at a
/// doorway that people want to pass both ways, one direction gets its turn: the others step aside and leave a lane. The
/// turn changes when nobody is left in the first direction, or after ``longest`` seconds.
struct DoorArbiter {
  /// By doorway: 1 when people who go to the left of its line have their turn, -1 for the others, 0 for both.
  private(set) var current: [Int8]
  private var seconds: [Float]
  private var tallies: [Tally]
  private var touched: [Int] = []

  private struct Tally {
    var left: Int32 = 0
    var right: Int32 = 0
    /// People in the doorway itself: leftward minus rightward.
    var inside: Int32 = 0
    var isStuck = false
  }

  /// Distance from a doorway within which people count, in metres.
  static let reach = 2.5
  /// Longest turn while others wait, in seconds.
  static let longest: Float = 6
  /// Seconds without progress after which a person is stuck.
  static let patience: Float = 1

  init(doorways: Int) {
    current = Array(repeating: 0, count: doorways)
    seconds = Array(repeating: 0, count: doorways)
    tallies = Array(repeating: Tally(), count: doorways)
  }

  /// Whether a person who wants to pass has to step aside.
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

  /// Assigns the turns after all people were counted.
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
        if seconds[index] > DoorArbiter.longest {
          current[index] = -current[index]
          seconds[index] = 0
        }
      }
    }
    touched.removeAll(keepingCapacity: true)
  }
}
