import CordonCommandLine
import CordonCore
import CordonExchange
import CordonGeometry
import CordonRun

/// People's true ways as a trace, for the writers of trace files.
struct RunTrace {
  let tracks: RunTracks
  let frame: LocalFrame
  let people: [RunPerson]
  /// `FloorOrdinal.thousandths`; `nil` for all floors.
  let floor: Int32?
  /// Whether places are metres of the run's plane, in place of degrees.
  let isInMetres: Bool

  /// A track for each person. Takes about 120 bytes a position.
  func trace(named name: String, as format: TraceFormat) -> Trace {
    var list: [TraceTrack] = []
    var last: Int32?
    tracks.forEach(on: floor) { position in
      if last != position.person {
        list.append(TraceTrack(name: self.name(position.person), device: device(position.person)))
        last = position.person
      }
      let point = PlanePoint(x: rounded(position.x), y: rounded(position.y))
      list[list.count - 1].points.append(
        TracePoint(
          place: isInMetres ? .metres(point) : .degrees(frame.unproject(point)),
          time: Instant(milliseconds: tracks.time(of: position.number)),
          floor: FloorOrdinal(thousandths: position.floor)))
    }
    return Trace(format: format, name: name, tracks: list)
  }

  private func rounded(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }

  private func device(_ person: Int32) -> String? {
    people.indices.contains(Int(person)) ? people[Int(person)].device?.rawValue : nil
  }

  private func name(_ person: Int32) -> String { "person-\(person)" }
}
