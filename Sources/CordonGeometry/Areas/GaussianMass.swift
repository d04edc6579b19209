import CordonCore

/// The mass of the standard normal distribution of the plane in wedges, by Owen's T function.
///
/// D. B. Owen, "Tables for computing bivariate normal probabilities" (1956): T(h, a) is the mass between the x axis and
/// the line of slope a, beyond the line x = h.
enum GaussianMass {
  /// Returns the mass beyond the edge a-b, within the angle under which it is seen from the origin; negative for a
  /// clockwise edge.
  static func beyond(ax: Double, ay: Double, bx: Double, by: Double) -> Double {
    let (dx, dy) = (bx - ax, by - ay)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return 0 }
    // The distance of the line, positive if the origin is to its left, and the positions of the edge's ends along the
    // line.
    let h = (ax * by - ay * bx) / length
    guard h != 0 else { return 0 }
    let start = (ax * dx + ay * dy) / length
    let end = (bx * dx + by * dy) / length
    let distance = abs(h)
    let mass = owenT(distance, end / distance) - owenT(distance, start / distance)
    return h > 0 ? mass : -mass
  }

  /// Returns T(h, a) for h >= 0, accurate to 1e-7.
  static func owenT(_ h: Double, _ a: Double) -> Double {
    if a < 0 { return -owenT(h, -a) }
    if h > 8 { return 0 }
    if a <= 1 { return integral(h, a) }
    if a == .infinity { return upperTail(h) / 2 }
    // Owen's equation (2.3) reduces steep slopes to shallow ones.
    let (q1, q2) = (upperTail(h), upperTail(a * h))
    return (q1 + q2) / 2 - q1 * q2 - integral(a * h, 1 / a)
  }

  /// Returns (1 / 2 pi) times the integral of exp(-h^2 (1 + x^2) / 2) / (1 + x^2) from 0 to a <= 1.
  ///
  /// The method is ten-point Gauss-Legendre quadrature.
  private static func integral(_ h: Double, _ a: Double) -> Double {
    let half = -0.5 * h * h
    guard half > -40 else { return 0 }
    var sum = 0.0
    for (node, weight) in nodes {
      let (low, high) = (a * (0.5 - node / 2), a * (0.5 + node / 2))
      let (first, second) = (1 + low * low, 1 + high * high)
      sum += weight * (PortableMath.exp(half * first) / first + PortableMath.exp(half * second) / second)
    }
    return sum * a / (4 * Double.pi)
  }

  private static let nodes: [(Double, Double)] = [
    (0.1488743389816312, 0.2955242247147529), (0.4333953941292472, 0.2692667193099963),
    (0.6794095682990244, 0.2190863625159820), (0.8650633666889845, 0.1494513491505806),
    (0.9739065285171717, 0.0666713443086881),
  ]

  /// Returns the mass of the standard normal distribution beyond x >= 0, by Abramowitz and Stegun 7.1.26, to 1e-7.
  private static func upperTail(_ x: Double) -> Double {
    guard x < 38 else { return 0 }
    let z = x * 0.7071067811865476
    let t = 1 / (1 + 0.3275911 * z)
    let polynomial =
      t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return 0.5 * polynomial * PortableMath.exp(-z * z)
  }
}
