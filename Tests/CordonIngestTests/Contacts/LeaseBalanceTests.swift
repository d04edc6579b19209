import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

struct LeaseBalanceTests {
  private func time(_ seconds: Int64) -> Instant { .testStart + .seconds(seconds) }

  @Test func aVenueWhoseRowsComeToOthersOnlyIsMisplaced() {
    var balance = LeaseBalance()
    balance.begin(2, at: time(0))
    balance.begin(1, at: time(0))
    for second in stride(from: 5 as Int64, through: 25, by: 5) {
      balance.rowsCameElsewhere(of: 1, at: time(second))
      balance.rowsCameElsewhere(of: 2, at: time(second))
    }
    #expect(balance.misplaced.isEmpty, "not for half a minute yet")
    balance.rowsCame(of: 2, at: time(28))
    for venue in [Int64(1), 2] { balance.rowsCameElsewhere(of: venue, at: time(30)) }
    #expect(balance.misplaced == [1], "a row of venue 2 came to this server")
    balance.rowsCameElsewhere(of: 2, at: time(58))
    #expect(balance.misplaced == [1, 2])
    balance.end(1)
    #expect(balance.misplaced == [2])
    // A lease that comes back begins anew.
    balance.begin(2, at: time(60))
    #expect(balance.misplaced.isEmpty)
  }

  @Test func venuesWithoutRowsOrLeasesStay() {
    var balance = LeaseBalance()
    balance.begin(1, at: time(0))
    #expect(balance.misplaced.isEmpty)
    balance.rowsCameElsewhere(of: 7, at: time(500))
    #expect(balance.misplaced.isEmpty, "no lease")
    // A clock that was set back.
    balance.rowsCameElsewhere(of: 1, at: time(-500))
    #expect(balance.misplaced.isEmpty)
  }
}
