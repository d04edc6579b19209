import CordonCore
import CordonPresence
import Foundation

/// The person's own copy of their positions: the file of a sink of the kind `file`, which never leaves the phone.
struct DiaryFile {
  private struct Row: Decodable {
    var time: Int64
    var lonlat: [Double]
    var acc: Double?
    var stillUntil: Int64?

    enum CodingKeys: String, CodingKey {
      case time, lonlat, acc
      case stillUntil = "still_until"
    }
  }

  let url: URL

  /// Reads the file into a diary; a line that is cut short is left out.
  func diary(offset: TimeSpan) -> PersonDiary {
    var diary = PersonDiary(offset: offset)
    guard let data = try? Data(contentsOf: url) else { return diary }
    let decoder = JSONDecoder()
    for line in data.split(separator: 0x0A) {
      guard let row = try? decoder.decode(Row.self, from: line), row.lonlat.count == 2 else { continue }
      diary.add(
        Coordinate(longitude: row.lonlat[0], latitude: row.lonlat[1]), accuracy: row.acc,
        at: Instant(milliseconds: row.time), stillUntil: row.stillUntil.map { Instant(milliseconds: $0) })
    }
    return diary
  }

  /// Deletes the file: the person took the consent back.
  func erase() { try? FileManager.default.removeItem(at: url) }
}
