package import CordonVenues

/// The colours of the kinds of spaces and connections.
package enum SpacePalette {
  /// Returns a fill colour that is visible on white, and light enough for black text.
  package static func fill(_ kind: SpaceKind) -> String {
    switch kind {
    case .room: "#e8e4da"
    case .office: "#d9e4f2"
    case .meetingRoom: "#c7d7ef"
    case .classroom: "#dbe7c9"
    case .laboratory: "#cfe8e1"
    case .library: "#d8d3ec"
    case .auditorium: "#e6cfe3"
    case .lobby: "#fdf1c7"
    case .corridor: "#f7f5ef"
    case .shop: "#fbd9c4"
    case .restaurant: "#f8c9a8"
    case .kitchen: "#f2d6a8"
    case .restroom: "#b9dcec"
    case .prayerRoom: "#d6c6e8"
    case .medical: "#f6cfd2"
    case .ward: "#fae0e2"
    case .waitingArea: "#fbeec9"
    case .storage: "#ddd8d0"
    case .service: "#d8d8d8"
    case .exhibition: "#e9d8c0"
    case .sports: "#c9e6b8"
    case .platform: "#e3e0f0"
    case .parking: "#dcdfe3"
    case .terrace: "#e0eecb"
    case .outdoor: "#e9f2df"
    case .stairs: "#bfa98f"
    case .elevator: "#a9b4c4"
    case .escalator: "#c9b48f"
    case .ramp: "#cdbba0"
    case .movingWalkway: "#cfc2a0"
    case .openToBelow: "#ffffff"
    case .inaccessible: "#c4c0ba"
    case .area: "#eef0f2"
    case .unknown: "#ece6e6"
    }
  }

  /// Returns a fill colour for dark screens, of the same hue and dark enough for light text.
  static func darkFill(_ kind: SpaceKind) -> String {
    let hex = fill(kind).utf8.dropFirst()
    let digits = hex.map { Int($0) - Int($0 >= UInt8(ascii: "a") ? UInt8(ascii: "a") - 10 : UInt8(ascii: "0")) }
    let channels = stride(from: 0, to: 6, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    let lowest = channels.min() ?? 0
    // Differences between the channels are doubled, because they are harder to see in the dark.
    return "#"
      + channels.map { channel in
        let dark = min(44 + (channel - lowest) * 2, 130)
        return String(dark / 16, radix: 16) + String(dark % 16, radix: 16)
      }.joined()
  }

  /// Returns the colour of the mark at the landing of a connection.
  static func stroke(_ kind: Connection.Kind) -> String {
    switch kind {
    case .stairs: "#7a4f1d"
    case .elevator: "#1d4e7a"
    case .escalator: "#8a6d00"
    case .ramp: "#5a7a1d"
    case .ladder, .movingWalkway, .unknown: "#555555"
    }
  }
}
