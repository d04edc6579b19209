public import CordonCore
public import CordonWire

/// Reads the JSON lines of gpsd.
public enum GPSDReport {
  /// gpsd's `epx` and `epy` are 95 % errors of one axis: 1.96 standard deviations.
  static let deviationsIn95Percent = 1.959963984540054
  /// The radius that holds 68 % of a circular normal distribution, in standard deviations of one axis.
  static let deviationsIn68PercentRadius = 1.5095921854516636

  /// The fix of a `TPV` line; `nil` for other lines and for lines without a position or a time.
  ///
  /// The error is that of the worse axis, turned from gpsd's 95 % of one axis into the radius of 68 %. Where gpsd says
  /// nothing about the error, neither does the fix. gpsd knows no floors.
  public static func fix(line: [UInt8]) throws(WireError) -> Fix? {
    try JSONReader.read(line) { reader throws(WireError) in
      var kind = ""
      var mode: Int64 = 0
      var date: String?
      var longitude: Double?
      var latitude: Double?
      var errorEast: Double?
      var errorNorth: Double?
      try reader.expect(UInt8(ascii: "{"))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        if key.equals("class") {
          kind = try reader.string()
        } else if key.equals("mode") {
          mode = try reader.integer()
        } else if key.equals("time"), reader.peek() == UInt8(ascii: "\"") {
          date = try reader.string()
        } else if key.equals("lon") {
          longitude = try reader.double()
        } else if key.equals("lat") {
          latitude = try reader.double()
        } else if key.equals("epx") {
          errorEast = try reader.double()
        } else if key.equals("epy") {
          errorNorth = try reader.double()
        } else {
          try reader.skipValue()
        }
      }
      guard kind == "TPV", mode >= 2, let longitude, let latitude, let date, let time = try? Instant(rfc3339: date)
      else { return nil }
      var accuracy: Double?
      if let errorEast, let errorNorth {
        accuracy = max(errorEast, errorNorth) / deviationsIn95Percent * deviationsIn68PercentRadius
      }
      return Fix(coordinate: Coordinate(longitude: longitude, latitude: latitude), accuracy: accuracy, time: time)
    }
  }
}
