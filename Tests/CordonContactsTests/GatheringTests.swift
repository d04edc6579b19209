import CordonContacts
import CordonCore
import Testing

@Suite struct GatheringTests {
  private func contact(_ a: Int32, _ b: Int32, _ start: Int64, _ end: Int64, floor: Int32 = 0) -> Contact {
    Contact(
      first: min(a, b), second: max(a, b), floor: floor, start: start, end: end, minimumDistance: 1,
      minimumDistanceTime: start, x: Double(a + b) / 2, y: Double(start))
  }

  private func members(_ gathering: Gathering) -> [[Int64]] {
    gathering.members.map { [Int64($0.device), $0.present] }
  }

  @Test func aChainOfContactsIsAGroup() throws {
    let finder = GatheringFinder(minimumSize: 3)
    let found = finder.gatherings(in: [contact(0, 1, 0, 100), contact(1, 2, 20, 60), contact(7, 8, 0, 100)])
    let only = try #require(found.first)
    #expect(found.count == 1)
    #expect([only.start, only.end, only.peakTime] == [20, 60, 20] && only.peak == 3)
    #expect(members(only) == [[0, 40], [1, 40], [2, 40]])
    #expect(only.x == 1 && only.y == 10)
  }

  @Test func membersComeAndGo() {
    // 0 and 1 stay; 2 is replaced by 3 in the same moment, and later nobody replaces 3.
    let contacts = [contact(0, 1, 0, 100), contact(1, 2, 10, 40), contact(1, 3, 40, 70), contact(1, 4, 80, 90)]
    let found = GatheringFinder(minimumSize: 3).gatherings(in: contacts)
    #expect(found.map { [$0.start, $0.end, Int64($0.peak)] } == [[10, 70, 4], [80, 90, 3]])
    #expect(members(found[0]) == [[0, 60], [1, 60], [2, 30], [3, 30]])
  }

  @Test func groupsMergeAndPart() {
    let pairs = [contact(0, 1, 0, 50), contact(1, 2, 0, 50), contact(3, 4, 10, 90), contact(4, 5, 10, 90)]
    let apart = GatheringFinder(minimumSize: 3).gatherings(in: pairs)
    #expect(apart.map { [$0.start, $0.end] } == [[0, 50], [10, 90]])
    let together = GatheringFinder(minimumSize: 3).gatherings(in: pairs + [contact(2, 3, 20, 30)])
    #expect(together.map { [$0.start, $0.end, Int64($0.peak), $0.peakTime] } == [[0, 90, 6, 20]])
    #expect(members(together[0]) == [[0, 50], [1, 50], [2, 50], [3, 80], [4, 80], [5, 80]])
  }

  @Test func floorsDurationsAndInterruptions() {
    let other = [contact(0, 1, 0, 50), contact(1, 2, 0, 50, floor: 1_000)]
    #expect(GatheringFinder(minimumSize: 3).gatherings(in: other).isEmpty)
    let moment = [contact(0, 1, 0, 50), contact(1, 2, 50, 90)]
    #expect(GatheringFinder(minimumSize: 3).gatherings(in: moment).map { [$0.start, $0.end] } == [[50, 50]])
    #expect(GatheringFinder(minimumSize: 3, minimumDuration: 1).gatherings(in: moment).isEmpty)
    let broken = [contact(0, 1, 0, 90), contact(1, 2, 10, 30), contact(1, 2, 35, 80)]
    #expect(GatheringFinder(minimumSize: 3, bridge: 4).gatherings(in: broken).count == 2)
    let bridged = GatheringFinder(minimumSize: 3, bridge: 5).gatherings(in: broken)
    #expect(bridged.map { [$0.start, $0.end] } == [[10, 80]])
    #expect(GatheringFinder().gatherings(in: []).isEmpty)
  }

  /// The definition, word for word: groups at every moment and between moments, linked by common devices.
  private func bruteForce(_ contacts: [Contact], _ size: Int) -> [[Int64]] {
    var found: [[Int64]] = []
    for floor in Set(contacts.map(\.floor)) {
      let own = contacts.filter { $0.floor == floor }
      // Doubled times, so that there is a moment between any two.
      let times = Set(own.flatMap { [$0.start * 2, $0.end * 2] }).sorted()
      var moments: [Int64] = []
      for (k, time) in times.enumerated() {
        moments.append(time)
        if k + 1 < times.count { moments.append(time + 1) }
      }
      var groups: [(start: Int64, end: Int64, devices: Set<Int32>, label: Int)] = []
      var before: [Int] = []
      for (k, moment) in moments.enumerated() {
        let present = own.filter { $0.start * 2 <= moment && moment <= $0.end * 2 }
        var sets: [Set<Int32>] = []
        for contact in present {
          let touching = sets.filter { $0.contains(contact.first) || $0.contains(contact.second) }
          sets.removeAll { touching.contains($0) }
          sets.append(touching.reduce([contact.first, contact.second]) { $0.union($1) })
        }
        var now: [Int] = []
        let isMoment = k % 2 == 0
        let (start, end) = isMoment ? (moment / 2, moment / 2) : (moments[k - 1] / 2, moments[k + 1] / 2)
        for set in sets where set.count >= size {
          let number = groups.count
          groups.append((start, end, set, number))
          for earlier in before where !groups[earlier].devices.isDisjoint(with: set) {
            let (old, new) = (groups[earlier].label, groups[number].label)
            for k in groups.indices where groups[k].label == old { groups[k].label = new }
          }
          now.append(number)
        }
        before = now
      }
      for label in Set(groups.map(\.label)) {
        let parts = groups.filter { $0.label == label }
        var presence: [Int32: Int64] = [:]
        for part in parts { for device in part.devices { presence[device, default: 0] += part.end - part.start } }
        let peak = parts.map(\.devices.count).max() ?? 0
        let first = parts.filter { $0.devices.count == peak }.map(\.start).min() ?? 0
        let (start, end): (Int64, Int64) = (parts.map(\.start).min() ?? 0, parts.map(\.end).max() ?? 0)
        var row: [Int64] = [Int64(floor), start, end, Int64(peak), first]
        for device in presence.keys.sorted() {
          row.append(Int64(device))
          row.append(presence[device] ?? 0)
        }
        found.append(row)
      }
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test(arguments: 1...60) func findsWhatTheDefinitionSays(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let devices = 4 + Int32(random.next(below: 9))
    let contacts = (0..<(5 + random.next(below: 60))).compactMap { _ -> Contact? in
      let (a, b) = (Int32(random.next(below: Int(devices))), Int32(random.next(below: Int(devices))))
      let start = Int64(random.next(below: 60))
      // Few different times, so that many contacts begin and end together.
      return a == b
        ? nil : contact(a, b, start, start + Int64(random.next(below: 20)), floor: Int32(random.next(below: 2)) * 1_000)
    }
    for size in 2...4 {
      let found = GatheringFinder(minimumSize: size).gatherings(in: contacts.shuffled(using: &random))
        .map { gathering in
          [Int64(gathering.floor), gathering.start, gathering.end, Int64(gathering.peak), gathering.peakTime]
            + members(gathering).joined()
        }
        .sorted { $0.lexicographicallyPrecedes($1) }
      #expect(found == bruteForce(contacts, size), "seed \(seed), size \(size)")
    }
  }
}

/// A small generator, so that each seed is one case.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
