import CordonCore

/// A weighted random choice, in logarithmic time.
struct WeightedChoice {
  private let items: [Int]
  private let sums: [Double]

  /// Creates a choice; items without a positive, finite weight are never picked.
  init(_ items: some Sequence<(item: Int, weight: Double)>) {
    var kept: [Int] = []
    var sums: [Double] = []
    var sum = 0.0
    for (item, weight) in items where weight > 0 && weight.isFinite {
      sum += weight
      kept.append(item)
      sums.append(sum)
    }
    self.items = kept
    self.sums = sums
  }

  var isEmpty: Bool { items.isEmpty }
  var total: Double { sums.last ?? 0 }

  func pick(_ random: inout RandomStream) -> Int? {
    guard !items.isEmpty else { return nil }
    let mark = random.nextUnit() * total
    var low = 0
    var high = items.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > mark { high = middle } else { low = middle + 1 }
    }
    return items[low]
  }
}
