internal import CordonCore
internal import Foundation

/// Reads the points of Arrow IPC: columns are found by the names of ``PointField``, as in CSV.
///
/// | field | types |
/// |---|---|
/// | device, venue | texts, texts of a dictionary, whole numbers |
/// | time, still_until | timestamps, whole numbers, floats, texts |
/// | longitude, latitude, x, y, accuracy | floats, whole numbers |
/// | floor | floats, whole numbers, texts |
enum ArrowPoints {
  /// Reads a file, `-` for standard input, into a collector.
  /// - Parameter inBlocks: whether rows without a fault are stored in blocks; the result does not depend on it.
  static func read(
    _ path: String, _ options: PointFileOptions, into collector: consuming PointCollector, inBlocks: Bool = true
  ) throws -> PointCollector {
    let stream = try ArrowStreamReader(path: path)
    let names = stream.schema.fields.map(\.name)
    var columns = try PointColumns(names: names, options: options, needsDevice: !options.isDevicePerFile)
    guard columns.place != .geometry else {
      throw PointFileError(
        .missingColumn,
        "has no columns for longitude and latitude, or x and y; a column of geometries is not read in Arrow")
    }
    columns.ignore([.date, .mocked])
    let name = TraceNames.stem(of: URL(fileURLWithPath: path).lastPathComponent)
    var reader = ArrowPointReader(
      inBlocks: inBlocks, collector: collector, fields: columns.fields, schema: stream.schema)
    try reader.collector.begin(columns, isJSON: false, device: options.isDevicePerFile ? name : nil)
    reader.collector.isInBatches = true
    while let batch = try stream.next() {
      try reader.add(batch, of: stream)
      if let problem = reader.collector.problem { throw problem }
    }
    var filled = reader.collector
    if !stream.hasEndMark { filled.assume("the stream has no mark at its end; it may be cut short") }
    try filled.end()
    filled.isInBatches = false
    return filled
  }

  /// Numbers for the values of a dictionary, made when a row has them.
  struct Numbers {
    private var numbers: [Int32] = []
    private var generation = -1

    mutating func prepare(_ dictionary: ArrowDictionary?) {
      guard let dictionary else { return }
      if generation != dictionary.generation { (numbers, generation) = ([], dictionary.generation) }
      if numbers.count < dictionary.count {
        numbers += [Int32](repeating: -1, count: dictionary.count - numbers.count)
      }
    }

    @inline(__always)
    subscript(index: Int64) -> Int32 {
      get { index >= 0 && index < numbers.count ? numbers[Int(index)] : -1 }
      set { if index >= 0, index < numbers.count { numbers[Int(index)] = newValue } }
    }
  }

  /// The columns of a batch.
  struct Columns {
    var device: ArrowColumn?
    var time: ArrowColumn
    var x: ArrowColumn
    var y: ArrowColumn
    var floor: ArrowColumn?
    var accuracy: ArrowColumn?
    var stillUntil: ArrowColumn?
    var venue: ArrowColumn?
  }

  /// How the times of a column become milliseconds.
  struct Clock {
    /// Units in a millisecond of timestamps; 0 for seconds and for other types.
    let divisor: Int64
    let isSeconds: Bool
    let isZoned: Bool

    init(_ type: ArrowType?) {
      if case .timestamp(let perSecond, let zone) = type {
        (divisor, isSeconds, isZoned) = (perSecond / 1_000, perSecond == 1, zone != nil)
      } else {
        (divisor, isSeconds, isZoned) = (0, false, false)
      }
    }
  }
}
