extension ContactNetwork {
  /// Groups of devices that meet one another more than others, by the Louvain method (Blondel, Guillaume, Lambiotte and
  /// Lefebvre 2008) on contact time: devices move to the neighbouring group that raises modularity most, then groups
  /// become nodes, until nothing improves. Nodes are visited in rising order and ties go to the lowest group, so the
  /// answer is always the same.
  ///
  /// - Returns: for each of ``nodes`` its group; groups are numbered by their lowest device.
  public func communities() -> [Int] {
    var place: [Int32: Int] = [:]
    for (k, node) in nodes.enumerated() { place[node.device] = k }
    var graph = Louvain(count: nodes.count)
    for edge in edges where edge.total > 0 {
      if let a = place[edge.first], let b = place[edge.second] {
        graph.add(a, b, Double(edge.total))
      }
    }
    var groups = Array(nodes.indices)
    while let next = graph.groupOnce() {
      groups = groups.map { next[$0] }
      graph = graph.merged(by: next)
    }
    var numbers: [Int: Int] = [:]
    return groups.map { group in
      if let number = numbers[group] { return number }
      numbers[group] = numbers.count
      return numbers.count - 1
    }
  }
}

/// One level of the Louvain method.
private struct Louvain {
  private var neighbours: [[(node: Int, weight: Double)]]
  private var loops: [Double]
  private var strength: [Double]

  init(count: Int) {
    neighbours = Array(repeating: [], count: count)
    loops = Array(repeating: 0, count: count)
    strength = Array(repeating: 0, count: count)
  }

  mutating func add(_ a: Int, _ b: Int, _ weight: Double) {
    if a == b {
      loops[a] += weight
    } else {
      neighbours[a].append((b, weight))
      neighbours[b].append((a, weight))
    }
    strength[a] += weight
    strength[b] += weight
  }

  /// The group of each node, numbered from 0 in the order of first members; `nil` when no node moved.
  func groupOnce() -> [Int]? {
    let total = strength.reduce(0, +)
    guard total > 0 else { return nil }
    var group = Array(neighbours.indices)
    var sums = strength
    var hasMoved = false
    // Each pass raises modularity, which is bounded; the limit is for rounding's sake.
    for _ in 0..<100 {
      var moves = 0
      for node in neighbours.indices {
        var links: [Int: Double] = [:]
        for (other, weight) in neighbours[node] { links[group[other], default: 0] += weight }
        let own = group[node]
        sums[own] -= strength[node]
        let gain = { (candidate: Int) in
          (links[candidate] ?? 0) - sums[candidate] * strength[node] / total
        }
        var best = (group: own, gain: gain(own))
        for candidate in links.keys.sorted() where gain(candidate) > best.gain + 1e-9 * total {
          best = (candidate, gain(candidate))
        }
        sums[best.group] += strength[node]
        if best.group != own {
          group[node] = best.group
          moves += 1
        }
      }
      if moves == 0 { break }
      hasMoved = true
    }
    guard hasMoved else { return nil }
    var numbers: [Int: Int] = [:]
    return group.map { old in
      if let number = numbers[old] { return number }
      numbers[old] = numbers.count
      return numbers.count - 1
    }
  }

  /// Groups as nodes.
  func merged(by group: [Int]) -> Louvain {
    var merged = Louvain(count: (group.max() ?? -1) + 1)
    var weights: [[Int: Double]] = Array(repeating: [:], count: merged.neighbours.count)
    for node in neighbours.indices {
      if loops[node] > 0 { merged.add(group[node], group[node], loops[node]) }
      for (other, weight) in neighbours[node] where node < other {
        let (a, b) = (min(group[node], group[other]), max(group[node], group[other]))
        weights[a][b, default: 0] += weight
      }
    }
    for a in weights.indices {
      for b in weights[a].keys.sorted() { merged.add(a, b, weights[a][b] ?? 0) }
    }
    return merged
  }
}
