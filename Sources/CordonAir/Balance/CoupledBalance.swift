import CordonCore

/// The balance of one gas in spaces that exchange air: `dc/dt = A c + s` with constant sources.
///
/// The exponential of A is summed by uniformization: `exp(A t) = Σ Poisson(k; q t) (I + A / q)^k`, where q is the greatest
/// removal rate. No term is negative, so nothing cancels, and no concentration can become negative. The sum is split
/// when `q t` is above 8; it then has at most about 50 terms.
package struct CoupledBalance: Sendable {
  private let rows: [Range<Int>]
  private let columns: [Int]
  /// The flow from a neighbour per volume of the space, per hour.
  private let exchange: [Double]
  /// All that leaves a space, per hour.
  private let removal: [Double]
  /// The greatest removal rate.
  private let bound: Double

  /// Creates the balance of a gas.
  /// - Parameters:
  ///   - volumes: the volumes of the spaces in cubic metres.
  ///   - rates: the share of each concentration that is removed per hour without the links.
  ///   - links: the links between the spaces.
  package init(volumes: [Double], rates: [Double], links: [AirLink]) {
    var neighbours = [[(space: Int, flow: Double)]](repeating: [], count: volumes.count)
    for link in links where link.first != link.second && link.flow > 0 {
      neighbours[link.first].append((link.second, link.flow))
      neighbours[link.second].append((link.first, link.flow))
    }
    var (rows, columns, exchange, removal) = ([Range<Int>](), [Int](), [Double](), rates)
    for (space, list) in neighbours.enumerated() {
      let first = columns.count
      for (other, flow) in list {
        columns.append(other)
        exchange.append(flow / volumes[space])
        removal[space] += flow / volumes[space]
      }
      rows.append(first..<columns.count)
    }
    self.rows = rows
    self.columns = columns
    self.exchange = exchange
    self.removal = removal
    bound = removal.max() ?? 0
  }

  /// Advances all concentrations over an interval with constant sources.
  ///
  /// Complexity: O((spaces + links) × (1 + q hours)).
  /// - Parameters:
  ///   - level: the concentrations above the outdoor one.
  ///   - integral: their integrals over the hours since the start.
  ///   - source: the increase of each concentration per hour without losses.
  ///   - hours: the length of the interval, 0 or more.
  package func advance(_ level: inout [Double], _ integral: inout [Double], source: [Double], hours: Double) {
    guard hours > 0 else { return }
    guard bound > 0 else {
      for space in level.indices {
        integral[space] += level[space] * hours + source[space] * hours * hours / 2
        level[space] += source[space] * hours
      }
      return
    }
    let parts = max(1, (bound * hours / 8).rounded(.up))
    let weights = PoissonWeights(mean: bound * hours / parts)
    for _ in 0..<Int(parts) { step(&level, &integral, source: source, weights: weights) }
  }

  private func step(
    _ level: inout [Double], _ integral: inout [Double], source: [Double], weights: PoissonWeights
  ) {
    // The powers of (I + A / q), applied to the concentrations and to what the sources add in the time 1 / q.
    var held = level
    var added = source.map { $0 / bound }
    var next = [Double](repeating: 0, count: level.count)
    for space in level.indices { level[space] = 0 }
    for k in weights.terms.indices {
      let term = weights.terms[k]
      for space in level.indices {
        level[space] += term.weight * held[space] + term.tail * added[space]
        integral[space] += (term.tail * held[space] + term.tails * added[space]) / bound
      }
      if k == weights.terms.count - 1 { break }
      multiply(held, into: &next)
      swap(&held, &next)
      multiply(added, into: &next)
      swap(&added, &next)
    }
  }

  private func multiply(_ vector: [Double], into result: inout [Double]) {
    for (space, row) in rows.enumerated() {
      var sum = (bound - removal[space]) * vector[space]
      for entry in row { sum += exchange[entry] * vector[columns[entry]] }
      result[space] = sum / bound
    }
  }
}

/// The probabilities of a Poisson distribution with a small mean, and the sums behind each.
struct PoissonWeights {
  struct Term {
    /// The probability of k.
    var weight: Double
    /// The probability of more than k.
    var tail: Double
    /// The sum of the tails of k + 1 and more.
    var tails: Double
  }

  let terms: [Term]

  /// - Parameter mean: 0 to about 20.
  init(mean: Double) {
    var weights = [PortableMath.exp(-mean)]
    while let last = weights.last, last > 1e-20 || Double(weights.count) < mean {
      weights.append(last * mean / Double(weights.count))
    }
    // From the end, so that small tails keep their digits.
    var terms = [Term](repeating: Term(weight: 0, tail: 0, tails: 0), count: weights.count)
    var (tail, tails) = (0.0, 0.0)
    for k in weights.indices.reversed() {
      terms[k] = Term(weight: weights[k], tail: tail, tails: tails)
      tails += tail
      tail += weights[k]
    }
    self.terms = terms
  }
}
