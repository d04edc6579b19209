public import CordonCore

extension ContactStream {
  /// Makes everything before `time` final: answers the rows that end before it, by end, and forgets them and
  /// the points that only they needed. Never goes back.
  public mutating func close(before time: Instant) -> [Contact] {
    guard time.milliseconds > watermark else { return [] }
    watermark = min(time.milliseconds, Segment.timeLimit)
    // What a device did before this may still change, when a point comes that its last one is joined to.
    var changeable = DeviceTimes(devices: tracks.keys)
    for (device, track) in tracks {
      if let start = track.changeableStart(at: watermark, gap: maximumGap.milliseconds) {
        changeable.lower(device, to: start)
      }
    }
    var needed = changeable
    var final: [Contact] = []
    var settled: [UInt64] = []
    let limit = watermark * 1_000_000
    for (key, pair) in rows {
      var hasFinal = false
      for row in pair.list where row.start < limit {
        if ContactStream.isFinal(row, changeable, before: watermark) {
          hasFinal = true
          final.append(row.published)
        } else {
          let begin = row.start.flooredMultiple(of: 1_000_000) / 1_000_000
          needed.lower(row.first, to: begin)
          needed.lower(row.second, to: begin)
        }
      }
      if hasFinal { settled.append(key) }
    }
    for key in settled {
      guard let index = rows.index(forKey: key) else { continue }
      let watermark = watermark
      rows.values[index].remove { ContactStream.isFinal($0, changeable, before: watermark) }
      if rows.values[index].list.isEmpty { rows.remove(at: index) }
    }
    forget(needed)
    return final.sorted(by: Contact.isClosedBefore)
  }

  private static func isFinal(_ row: OpenContact, _ changeable: DeviceTimes, before watermark: Int64) -> Bool {
    guard row.end + OpenContact.join < watermark * 1_000_000 else { return false }
    let start = min(changeable[row.first], changeable[row.second], watermark)
    return row.end + OpenContact.join < start * 1_000_000
  }

  /// Drops the points that nothing needs from the times given on, and the slabs that lie before all of them.
  private mutating func forget(_ needed: DeviceTimes) {
    var oldest = watermark
    // Lists, since a view of the keys would make the first change copy the whole table.
    for device in Array(tracks.keys) {
      guard var track = tracks.removeValue(forKey: device) else { continue }
      let start = min(needed[device], watermark)
      if start == watermark, let last = track.points.last, last.point.time < watermark { continue }
      track.forget(before: start)
      oldest = min(oldest, track.points.first?.point.time ?? oldest)
      tracks[device] = track
    }
    for slab in Array(slabs.keys) where slab + ContactStream.slabWidth <= oldest { slabs[slab] = nil }
  }
}
