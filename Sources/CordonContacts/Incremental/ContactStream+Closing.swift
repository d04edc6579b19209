package import CordonCore

extension ContactStream {
  /// Makes everything before `time` final: answers the rows that end before it, by end, and forgets them and
  /// the points that only they needed. Never goes back.
  package mutating func close(before time: Instant) -> [Contact] {
    guard time.milliseconds > watermark else { return [] }
    watermark = min(time.milliseconds, Segment.timeLimit)
    // Contacts of a device before this time may still change, when a point comes that its last one is joined to.
    var changeable = DeviceTimes(devices: tracks.keys)
    for (device, track) in tracks {
      if let start = track.changeableStart(at: watermark, gap: maximumGap.milliseconds) {
        changeable.lower(device, to: start)
      }
    }
    var needed = changeable
    var final: [Contact] = []
    // Rows that start later are not looked at.
    for slab in pairsByStart.keys.sorted() where slab < watermark {
      var kept: [UInt64] = []
      for key in pairsByStart.removeValue(forKey: slab) ?? []
      where closeRows(of: key, startingIn: slab, changeable, needed: &needed, into: &final) { kept.append(key) }
      if !kept.isEmpty { pairsByStart[slab] = kept }
    }
    forget(needed)
    return final.sorted(by: Contact.isClosedBefore)
  }

  /// Takes the final ones out of the rows of a pair that start in a slab; answers whether others do.
  private mutating func closeRows(
    of key: UInt64, startingIn slab: Int64, _ changeable: DeviceTimes, needed: inout DeviceTimes,
    into final: inout [Contact]
  ) -> Bool {
    guard let index = rows.index(forKey: key) else { return false }
    let span = slab * 1_000_000..<(slab + ContactStream.slabWidth) * 1_000_000
    let limit = watermark * 1_000_000
    let before = final.count
    var hasOthers = false
    for row in rows.values[index].list where span.contains(row.start) {
      if row.start < limit, ContactStream.isFinal(row, changeable, before: watermark) {
        final.append(row.published)
        continue
      }
      hasOthers = true
      guard row.start < limit else { continue }
      let begin = row.start.flooredMultiple(of: 1_000_000) / 1_000_000
      needed.lower(row.first, to: begin)
      needed.lower(row.second, to: begin)
    }
    guard final.count > before else { return hasOthers }
    let watermark = watermark
    rows.values[index].remove {
      span.contains($0.start) && ContactStream.isFinal($0, changeable, before: watermark)
    }
    if rows.values[index].list.isEmpty { rows.remove(at: index) }
    return hasOthers
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
      // A late point of another device may make a way anew that began up to the gap ago: who was near it then is looked
      // up in the points.
      track.forget(before: min(start, watermark - maximumGap.milliseconds))
      oldest = min(oldest, track.points.first?.point.time ?? oldest)
      tracks[device] = track
    }
    for slab in Array(slabs.keys) where slab + ContactStream.slabWidth <= oldest { slabs[slab] = nil }
  }
}
