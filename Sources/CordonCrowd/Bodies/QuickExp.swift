/// Returns e to the power of `x`, with a relative error below 2e-7, using additions and multiplications only.
///
/// The result is 0 for `x` up to -30, and `x` above 30 counts as 30. The models need several exponentials per
/// neighbour, and the exact portable function would dominate their time. This function is equally portable, but less
/// precise.
@inline(__always)
func quickExp(_ x: Double) -> Double {
  guard x > -30 else { return 0 }
  let y = min(x, 30) * 1.4426950408889634
  // Rounds to the nearest whole number, because a sum this large has no bits below one.
  let k = (y + 0x1.8p52) - 0x1.8p52
  let f = (y - k) * 0.6931471805599453
  let p =
    1 + f
    * (1 + f
      * (0.5 + f
        * (0.16666666666666666 + f * (0.041666666666666664 + f * (0.008333333333333333 + f * 0.001388888888888889)))))
  return p * Double(bitPattern: UInt64(bitPattern: Int64(k) &+ 1023) << 52)
}
