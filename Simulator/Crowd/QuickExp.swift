/// e to the power of numbers from -30 to 0, to seven digits, with additions and multiplications only.
///
/// The models need an exponential several times per neighbour; the exactly portable one of the core would dominate their
/// time. This one is equally portable, but less precise.
@inline(__always)
func quickExp(_ x: Double) -> Double {
  guard x > -30 else { return 0 }
  let y = min(x, 30) * 1.4426950408889634
  // Rounds to the nearest whole number: a sum this large has no bits below one.
  let k = (y + 0x1.8p52) - 0x1.8p52
  let f = (y - k) * 0.6931471805599453
  let p =
    1 + f
    * (1 + f
      * (0.5 + f
        * (0.16666666666666666 + f * (0.041666666666666664 + f * (0.008333333333333333 + f * 0.001388888888888889)))))
  return p * Double(bitPattern: UInt64(bitPattern: Int64(k) &+ 1023) << 52)
}
