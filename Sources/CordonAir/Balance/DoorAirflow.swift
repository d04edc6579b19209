/// The exchange of air through an open door between two rooms at different temperatures.
package enum DoorAirflow {
  /// Returns the flow in each direction in cubic metres per hour.
  ///
  /// Warm air leaves above and cold air enters below: `C/3 W sqrt(g H³ dT / T)` with the discharge coefficient 0.6 and
  /// 293 K (Brown and Solvason 1962). A door of 0.9 m by 2 m at 1 K: 335 m³/h.
  /// - Parameters:
  ///   - width: the clear width in metres.
  ///   - height: the height in metres.
  ///   - temperatureDifference: the difference of the temperatures in kelvin, 0 or more.
  ///   - open: the share of the time during which the door is open, 0 to 1.
  package static func exchange(width: Double, height: Double, temperatureDifference: Double, open: Double) -> Double {
    0.6 / 3 * width * (9.81 * height * height * height * temperatureDifference / 293).squareRoot() * 3_600 * open
  }
}
