import CordonCommandLine
import CordonPresence
import Foundation

/// The figures of an earlier run of `cordon presence`.
enum PresencePrevious {
  /// Reads the object that `--json` printed.
  static func read(_ path: String) throws -> PresenceLedger {
    let text = try TextFile.read(path, code: "previous").bytes
    guard let object = try? JSONSerialization.jsonObject(with: text) as? [String: Any],
      object["schema"] as? String == PresenceResult.schema, let days = object["days"] as? [[String: Any]]
    else { throw CommandError("is not the --json of cordon presence", code: "previous", file: path) }
    return PresenceLedger(try days.map { try entry($0, path) })
  }

  private static func entry(_ day: [String: Any], _ path: String) throws -> PresenceLedger.Entry {
    guard let date = day["date"] as? String else {
      throw CommandError("a day has no date", code: "previous", file: path)
    }
    func thousandths(_ key: String) throws -> Int64 {
      if day[key] is NSNull { return 0 }
      guard let value = day[key] as? Double, abs(value) < 1e12 else {
        throw CommandError("the day \(date.prefix(10)) has no \(key)", code: "previous", file: path)
      }
      return Int64((value * 1_000).rounded())
    }
    guard let fixes = day["fixes"] as? Int else {
      throw CommandError("the day \(date.prefix(10)) has no fixes", code: "previous", file: path)
    }
    return PresenceLedger.Entry(
      date: date,
      figures: PresenceLedger.Entry.Figures(
        fixes: fixes, home: try thousandths("home_s"), away: try thousandths("away_s"),
        covered: try thousandths("covered_s"), outdoors: try thousandths("outdoors_s"),
        indoors: try thousandths("indoors_s"), distance: try thousandths("distance_m")),
      revision: day["revision"] as? Int ?? 0)
  }
}
