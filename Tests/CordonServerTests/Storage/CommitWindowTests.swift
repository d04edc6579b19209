import Testing

@testable import CordonServer

/// When a batch waits for another one, so that both share a transaction of a database.
struct CommitWindowTests {
  /// Whether a batch waits after batches with such times between them, and the window.
  private func look(_ gaps: [Int]) -> (waits: Bool, window: CommitWindow) {
    var window = CommitWindow()
    var time = Duration.seconds(5)
    window.arrived(at: time)
    for gap in gaps {
      time += .milliseconds(gap)
      window.arrived(at: time)
    }
    return (window.beginsWait(), window)
  }

  @Test func aBatchWaitsWhereOthersAreExpected() {
    #expect(!look([]).waits, "nothing is known of the next one")
    #expect(look([10, 30, 20]).waits)
    #expect(!look([41]).waits)
    // The mean follows the present, also after a pause of a day.
    #expect(!look([10, 86_400_000]).waits)
    let late = look([10, 86_400_000] + [Int](repeating: 10, count: 14))
    #expect(late.waits, "\(late.window.gap as Any)")
    // A clock that jumps back counts as no time.
    let back = look([10, -500])
    #expect(back.waits)
    #expect(back.window.gap.map { $0 >= .zero && $0 <= .milliseconds(10) } == true)
  }

  /// A client that sends one batch after the other waits less and less often.
  @Test func waitsInVainBecomeSeldom() {
    var window = look([10]).window
    var waits = 0
    for _ in 0..<10_000 where window.beginsWait() {
      waits += 1
      window.endWait(isInVain: true)
    }
    #expect((2...20).contains(waits), "\(waits)")
    // A wait that was worth it ends that, and one in vain is chance.
    while !window.beginsWait() {}
    window.endWait(isInVain: false)
    for isInVain in [false, false, true, false] {
      let begins = window.beginsWait()
      #expect(begins)
      window.endWait(isInVain: isInVain)
    }
  }
}
