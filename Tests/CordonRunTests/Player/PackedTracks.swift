import CZlib
import Foundation
import Testing

/// Tracks of a page, read as its script reads them: bytes, columns, vertices, positions.
struct PackedTracks {
  struct Vertex {
    var time: Double
    var x: Double
    var y: Double
    var storey: Int
    var isLast: Bool
  }

  private(set) var people: [[Vertex]] = []
  let tolerance: Double
  let share: Int

  /// Reads the object `tracks` of a page's data; times are milliseconds from the start.
  init(_ json: [String: Any]) throws {
    let count = try #require(json["people"] as? Int)
    let visits = try #require(json["visits"] as? Int)
    let steps = try #require(json["steps"] as? Int)
    let tick = try #require(json["tick"] as? Double)
    let unit = try #require(json["unit"] as? Double)
    tolerance = try #require(json["tolerance"] as? Double)
    share = try #require(json["share"] as? Int)
    let samples = try #require(json["samples"] as? String)
    let packed = try #require(Data(base64Encoded: samples))
    let bytes = try PackedTracks.inflated([UInt8](packed))
    var position = 0
    func column(_ count: Int, isSigned: Bool = false) -> [Int] {
      (0..<count).map { _ in
        var value = 0
        var shift = 0
        while true {
          let byte = Int(bytes[position])
          position += 1
          value |= (byte & 127) << shift
          shift += 7
          if byte < 128 { break }
        }
        return isSigned ? value >> 1 ^ -(value & 1) : value
      }
    }
    let counts = column(count)
    let (storeys, starts) = (column(visits), column(visits))
    let (firstX, firstY) = (column(visits, isSigned: true), column(visits, isSigned: true))
    let lengths = column(visits)
    let (times, x, y) = (column(steps), column(steps, isSigned: true), column(steps, isSigned: true))
    #expect(position == bytes.count, "nothing is left")
    var (visit, step) = (0, 0)
    for person in 0..<count {
      var vertices: [Vertex] = []
      var (ticks, unitsX, unitsY) = (0, 0, 0)
      func put(_ isLast: Bool) {
        vertices.append(
          Vertex(
            time: Double(ticks) * tick, x: Double(unitsX) * unit, y: Double(unitsY) * unit, storey: storeys[visit],
            isLast: isLast))
      }
      for _ in 0..<counts[person] {
        ticks += starts[visit]
        unitsX += firstX[visit]
        unitsY += firstY[visit]
        put(lengths[visit] == 0)
        for index in 0..<lengths[visit] {
          ticks += times[step]
          unitsX += x[step]
          unitsY += y[step]
          put(index + 1 == lengths[visit])
          step += 1
        }
        visit += 1
      }
      people.append(vertices)
    }
  }

  /// Returns where a person is, `nil` if the person is not there.
  func place(_ person: Int, at time: Double) -> (x: Double, y: Double, storey: Int)? {
    let vertices = people[person]
    guard let index = vertices.lastIndex(where: { $0.time <= time }) else { return nil }
    let vertex = vertices[index]
    if vertex.isLast { return vertex.time == time ? (vertex.x, vertex.y, vertex.storey) : nil }
    let next = vertices[index + 1]
    let share = (time - vertex.time) / (next.time - vertex.time)
    return (vertex.x + (next.x - vertex.x) * share, vertex.y + (next.y - vertex.y) * share, vertex.storey)
  }

  /// Returns the bytes of a raw stream of RFC 1951, by zlib.
  static func inflated(_ packed: [UInt8]) throws -> [UInt8] {
    var stream = z_stream()
    #expect(inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { inflateEnd(&stream) }
    var input = packed
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let code: Int32 = input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = UInt32(source.count)
      var code = Z_OK
      while code == Z_OK {
        chunk.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = UInt32(target.count)
          code = inflate(&stream, Z_NO_FLUSH)
          output.append(contentsOf: target[0..<target.count - Int(stream.avail_out)])
        }
      }
      return code
    }
    #expect(code == Z_STREAM_END && stream.avail_in == 0)
    return output
  }
}
