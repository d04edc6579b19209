import CordonCore
import Foundation
import Testing

@Suite("Portable math")
struct PortableMathTests {
  /// The distance to `expected` in units in the last place.
  static func ulps(_ value: Double, _ expected: Double) -> Double {
    value == expected ? 0 : abs(value - expected) / max(expected.ulp, Double.leastNonzeroMagnitude)
  }

  /// Numbers of all sizes up to `largest`, some whole multiples of pi / 4 and powers of two among them.
  static func samples(largest: Double, seed: UInt64) -> [Double] {
    var random = Congruential(state: seed)
    var samples: [Double] = [0.0, 1, 0.5, 0.0625, 0.1875, 1e-300, 1e-20]
    for index in 0..<20_000 {
      let unit = random.unit()
      samples.append(index % 2 == 0 ? unit * largest : largest * Foundation.exp(-40 * unit))
    }
    for k in 0..<2_000 { samples.append(Double(k) * Double.pi / 4) }
    return (samples + samples.map { -$0 }).filter { abs($0) <= largest }
  }

  // The C library's own error is below 1 ulp, so an error of two appears as at most three.
  @Test func sinesAndCosines() {
    for x in Self.samples(largest: 1e6, seed: 1) + Self.samples(largest: 7, seed: 2) {
      let (s, c) = PortableMath.sincos(x)
      #expect(Self.ulps(s, Foundation.sin(x)) < 2.5, "sin \(x)")
      #expect(Self.ulps(c, Foundation.cos(x)) < 2.5, "cos \(x)")
      #expect(s == -PortableMath.sin(-x) && c == PortableMath.cos(-x))
      #expect(Self.ulps(PortableMath.tan(x), Foundation.tan(x)) < 3.5, "tan \(x)")
    }
  }

  @Test func exponentialsAndLogarithms() {
    for x in Self.samples(largest: 700, seed: 3) {
      #expect(Self.ulps(PortableMath.exp(x), Foundation.exp(x)) < 2.5, "exp \(x)")
    }
    for x in Self.samples(largest: 745, seed: 4) {
      let y = Foundation.exp(x)
      #expect(Self.ulps(PortableMath.log(y), Foundation.log(y)) < 2.5, "log \(y)")
    }
    for x in Self.samples(largest: 0.5, seed: 5) {
      #expect(Self.ulps(PortableMath.log(1 + x), Foundation.log(1 + x)) < 2.5, "log 1 + \(x)")
    }
  }

  @Test func angles() {
    for x in Self.samples(largest: 40, seed: 6) {
      #expect(Self.ulps(PortableMath.atan(x), Foundation.atan(x)) < 2.5, "atan \(x)")
    }
    for x in Self.samples(largest: 1, seed: 7) {
      #expect(Self.ulps(PortableMath.asin(x), Foundation.asin(x)) < 3.5, "asin \(x)")
    }
    let xs = Self.samples(largest: 3, seed: 8)
    for (x, y) in zip(xs, xs.reversed()) {
      for scale in [1.0, 1e-305, 1e305] {
        #expect(
          Self.ulps(PortableMath.atan2(y * scale, x * scale), Foundation.atan2(y * scale, x * scale)) < 2.5
            || (x == 0 && y == 0), "atan2 \(y) \(x) \(scale)")
      }
    }
  }

  @Test func oddArguments() {
    #expect(PortableMath.exp(710) == .infinity)
    #expect(PortableMath.exp(-746) == 0)
    #expect(PortableMath.exp(-.infinity) == 0)
    #expect(PortableMath.exp(-740) > 0)
    #expect(PortableMath.exp(0) == 1)
    #expect(PortableMath.log(0) == -.infinity)
    #expect(PortableMath.log(1) == 0)
    #expect(PortableMath.log(-1).isNaN)
    #expect(PortableMath.log(.infinity) == .infinity)
    #expect(abs(PortableMath.log(Double.leastNonzeroMagnitude) + 744.4400719213812) < 1e-9)
    #expect(PortableMath.sin(.infinity).isNaN)
    #expect(PortableMath.atan2(0, -1) == Double.pi)
    #expect(PortableMath.atan2(-1, 0) == -Double.pi / 2)
    #expect(PortableMath.atan2(0, 0) == 0)
    #expect(PortableMath.atan2(.infinity, .infinity) == Double.pi / 4)
    #expect(PortableMath.atan2(3, -.infinity) == Double.pi)
    #expect(PortableMath.atan(.infinity) == Double.pi / 2)
    #expect(PortableMath.atan(.nan).isNaN)
    #expect(PortableMath.asin(1.1).isNaN)
  }
}

/// A linear congruential generator (Knuth).
private struct Congruential {
  var state: UInt64
  mutating func unit() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}
