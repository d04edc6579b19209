/// A test on which side of a line a point lies, without rounding error.
///
/// A floating-point filter decides nearly all cases. Otherwise the determinant is summed exactly as an expansion
/// (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997). The test is
/// exact as long as no product of two coordinates underflows or overflows, which degrees and metres do not.
package enum Orientation {
  /// Returns 1 if `p` lies to the left of the line from `a` to `b`, -1 if to the right, 0 if on the line.
  ///
  /// NaN in any argument gives 0.
  @inlinable
  package static func side(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double
  ) -> Int {
    let left = (ax - px) * (by - py)
    let right = (ay - py) * (bx - px)
    let determinant = left - right
    // Shewchuk's bound (3 + 16 u) u with u = 2^-53.
    let bound = 3.3306690738754716e-16 * (abs(left) + abs(right))
    if determinant > bound { return 1 }
    if -determinant > bound { return -1 }
    return exactSide(ax: ax, ay: ay, bx: bx, by: by, px: px, py: py)
  }

  /// Returns the same, always from the exact sum.
  @usableFromInline @inline(never)
  static func exactSide(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double
  ) -> Int {
    // (a - p) x (b - p) multiplied out: the products of p with itself cancel.
    var sum = Expansion()
    sum.addProduct(ax, by)
    sum.addProduct(-ax, py)
    sum.addProduct(-px, by)
    sum.addProduct(-ay, bx)
    sum.addProduct(ay, px)
    sum.addProduct(py, bx)
    return sum.sign
  }
}

/// An exact sum of at most twelve doubles, smallest component first.
struct Expansion {
  private var components: SIMD16<Double> = .zero
  private var count = 0

  /// Adds `a` x `b` without rounding (Veltkamp's splitting, Dekker's product).
  mutating func addProduct(_ a: Double, _ b: Double) {
    let product = a * b
    guard product.isFinite else { return add(product) }
    let (aHigh, aLow) = Expansion.split(a)
    let (bHigh, bLow) = Expansion.split(b)
    add(aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow))
    add(product)
  }

  /// The sign of the sum, that of its largest non-zero component; 0 for NaN.
  var sign: Int {
    for index in stride(from: count - 1, through: 0, by: -1) where components[index] != 0 {
      return components[index] > 0 ? 1 : (components[index] < 0 ? -1 : 0)
    }
    return 0
  }

  private mutating func add(_ value: Double) {
    var carry = value
    for index in 0..<count {
      let component = components[index]
      let sum = carry + component
      let virtual = sum - carry
      components[index] = (carry - (sum - virtual)) + (component - virtual)
      carry = sum
    }
    components[count] = carry
    count += 1
  }

  private static func split(_ value: Double) -> (high: Double, low: Double) {
    let scaled = value * 134_217_729
    let high = scaled - (scaled - value)
    return (high, value - high)
  }
}
