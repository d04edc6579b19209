extension Int64 {
  /// The greatest multiple of `width` (more than 0) that is not greater.
  func multiple(below width: Int64) -> Int64 {
    let rest = self % width
    return rest < 0 ? self - rest - width : self - rest
  }
}
