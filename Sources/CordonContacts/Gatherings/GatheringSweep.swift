/// Follows the groups of one floor through time: contacts begin and end, groups grow, merge, part and shrink.
struct GatheringSweep {
  /// A device that a contact connects with another one.
  private struct Neighbour {
    var node: Int
    /// How many contacts of the pair there are now; those of one pair may touch.
    var count: Int
    /// One of them.
    var contact: Int
  }

  /// A part of a gathering, until the gathering that it merges into is known.
  private struct Part {
    var start: Int64
    var end: Int64
    var peak = 0
    var peakTime: Int64 = 0
    var x = 0.0
    var y = 0.0
    /// The part that it was merged into; itself for one that was not.
    var root: Int
  }

  private let contacts: [Contact]
  private let minimumSize: Int
  private var devices: [Int32]
  private var neighbours: [[Neighbour]]
  /// For each node its group; for each group its members, empty for a group that was merged.
  private var group: [Int]
  private var members: [[Int]]
  /// For each group its part of a gathering; -1 for a group that is too small.
  private var part: [Int]
  private var parts: [Part] = []
  /// For each node the time since which it is in a gathering.
  private var since: [Int64]
  private var presences: [(part: Int, node: Int, time: Int64)] = []
  /// The groups that grew at the present moment.
  private var grown: [Int] = []

  /// - Parameter contacts: of one floor, by start.
  init(_ contacts: ArraySlice<Contact>, minimumSize: Int) {
    self.contacts = Array(contacts)
    self.minimumSize = minimumSize
    devices = []
    for device in contacts.flatMap({ [$0.first, $0.second] }).sorted() where devices.last != device {
      devices.append(device)
    }
    neighbours = Array(repeating: [], count: devices.count)
    group = Array(devices.indices)
    members = devices.indices.map { [$0] }
    part = Array(repeating: -1, count: devices.count)
    since = Array(repeating: 0, count: devices.count)
  }

  /// The place of a device among ``devices``.
  private func node(_ device: Int32) -> Int {
    var (low, high) = (0, devices.count)
    while low < high {
      let middle = (low + high) / 2
      if devices[middle] < device { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// All gatherings, also those of a moment.
  mutating func gatherings() -> [Gathering] {
    let byEnd = contacts.indices.sorted { (contacts[$0].end, $0) < (contacts[$1].end, $1) }
    var (next, ended) = (0, 0)
    while ended < byEnd.count {
      var time = contacts[byEnd[ended]].end
      if next < contacts.count { time = min(time, contacts[next].start) }
      while next < contacts.count, contacts[next].start == time {
        begin(next, at: time)
        next += 1
      }
      notePeaks(at: time)
      while ended < byEnd.count, contacts[byEnd[ended]].end == time {
        end(byEnd[ended], at: time)
        ended += 1
      }
    }
    return collected()
  }

  // MARK: Begin

  private mutating func begin(_ contact: Int, at time: Int64) {
    let (a, b) = (node(contacts[contact].first), node(contacts[contact].second))
    guard a != b else { return }
    connect(a, b, contact)
    connect(b, a, contact)
    let (large, small) =
      members[group[a]].count >= members[group[b]].count ? (group[a], group[b]) : (group[b], group[a])
    guard large != small else { return }
    // Both may be gatherings of their own until now.
    if part[large] >= 0, part[small] >= 0 {
      unite(part[large], part[small])
    } else if part[large] >= 0 {
      enter(members[small], at: time)
    } else if members[large].count + members[small].count >= minimumSize {
      part[large] = parts.count
      parts.append(Part(start: time, end: time, root: parts.count))
      enter(members[large] + members[small], at: time)
    }
    for node in members[small] { group[node] = large }
    members[large] += members[small]
    members[small] = []
    part[small] = -1
    if part[large] >= 0 { grown.append(large) }
  }

  private mutating func connect(_ node: Int, _ other: Int, _ contact: Int) {
    if let known = neighbours[node].firstIndex(where: { $0.node == other }) {
      neighbours[node][known].count += 1
    } else {
      neighbours[node].append(Neighbour(node: other, count: 1, contact: contact))
    }
  }

  private mutating func enter(_ nodes: [Int], at time: Int64) {
    for node in nodes { since[node] = time }
  }

  private func root(of part: Int) -> Int {
    var part = part
    while parts[part].root != part { part = parts[part].root }
    return part
  }

  private mutating func unite(_ one: Int, _ other: Int) {
    let (low, high) = (min(root(of: one), root(of: other)), max(root(of: one), root(of: other)))
    parts[high].root = low
  }

  private mutating func notePeaks(at time: Int64) {
    for group in grown where part[group] >= 0 && members[group].count > parts[part[group]].peak {
      var (x, y, count) = (0.0, 0.0, 0.0)
      for node in members[group].sorted() {
        for neighbour in neighbours[node] where neighbour.node > node {
          x += contacts[neighbour.contact].x
          y += contacts[neighbour.contact].y
          count += 1
        }
      }
      parts[part[group]].peak = members[group].count
      parts[part[group]].peakTime = time
      (parts[part[group]].x, parts[part[group]].y) = (x / count, y / count)
    }
    grown.removeAll(keepingCapacity: true)
  }

  // MARK: End

  private mutating func end(_ contact: Int, at time: Int64) {
    let (a, b) = (node(contacts[contact].first), node(contacts[contact].second))
    guard a != b else { return }
    // Both lists count the contacts of the pair.
    let isApart = disconnect(a, b)
    _ = disconnect(b, a)
    guard isApart else { return }
    let whole = group[a]
    let reached = reachable(from: a)
    guard !reached.contains(b) else { return }
    // The group parts; the part of `a` becomes a group of its own.
    let rest = members[whole].filter { !reached.contains($0) }
    let apart = members[whole].filter { reached.contains($0) }
    let fresh = members.count
    members.append(apart)
    members[whole] = rest
    part.append(part[whole])
    for node in apart { group[node] = fresh }
    shrink(whole, at: time)
    shrink(fresh, at: time)
  }

  /// Returns whether the pair has no contact any more.
  private mutating func disconnect(_ node: Int, _ other: Int) -> Bool {
    guard let known = neighbours[node].firstIndex(where: { $0.node == other }) else { return false }
    neighbours[node][known].count -= 1
    guard neighbours[node][known].count == 0 else { return false }
    neighbours[node].remove(at: known)
    return true
  }

  private func reachable(from start: Int) -> Set<Int> {
    var reached: Set<Int> = [start]
    var waiting = [start]
    while let node = waiting.popLast() {
      for neighbour in neighbours[node] where reached.insert(neighbour.node).inserted { waiting.append(neighbour.node) }
    }
    return reached
  }

  /// Ends the part of a gathering that a group was, when it is too small now.
  private mutating func shrink(_ number: Int, at time: Int64) {
    guard part[number] >= 0 else { return }
    parts[part[number]].end = max(parts[part[number]].end, time)
    guard members[number].count < minimumSize else { return }
    for node in members[number] { presences.append((part[number], node, time - since[node])) }
    part[number] = -1
  }

  // MARK: Result

  private func collected() -> [Gathering] {
    var totals: [Int: [Int: Int64]] = [:]
    for presence in presences {
      totals[root(of: presence.part), default: [:]][presence.node, default: 0] += presence.time
    }
    var whole: [Int: Part] = [:]
    for (number, part) in parts.enumerated() {
      let root = root(of: number)
      guard var known = whole[root] else {
        whole[root] = part
        continue
      }
      known.start = min(known.start, part.start)
      known.end = max(known.end, part.end)
      if part.peak > known.peak || part.peak == known.peak && part.peakTime < known.peakTime {
        (known.peak, known.peakTime, known.x, known.y) = (part.peak, part.peakTime, part.x, part.y)
      }
      whole[root] = known
    }
    return parts.indices.compactMap { number in
      guard let part = whole[number], let times = totals[number] else { return nil }
      let present = times.sorted { $0.key < $1.key }
      return Gathering(
        floor: contacts[0].floor, start: part.start, end: part.end, peak: part.peak, peakTime: part.peakTime, x: part.x,
        y: part.y, members: present.map { Gathering.Member(device: devices[$0.key], present: $0.value) })
    }
  }
}
