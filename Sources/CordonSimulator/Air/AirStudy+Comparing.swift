import CordonRun

extension AirStudy {
  /// The figures of the whole building, for comparisons.
  var buildingFigures: [TruthStudy.Figure] {
    figures.map { TruthStudy.Figure(name: $0.name, title: $0.title, value: $0.value) }
  }

  /// Returns the figures of the whole building that a run folder holds, for comparisons; empty for a run without air.
  static func buildingFigures(of run: RunReader) throws -> [TruthStudy.Figure] {
    let stored = try run.figures(prefix: "air_")
    return titles.compactMap { item in
      stored.first { $0.name == item.name }.map {
        TruthStudy.Figure(name: item.name, title: item.title, value: $0.value)
      }
    }
  }

  /// Returns the figures of spaces in which people were, for comparisons.
  static func spaceFigures(_ spaces: [RunAir.Space], in venue: RunVenue) -> [TruthStudy.Figure] {
    let titles = venue.distinctTitles
    return spaces.indices.flatMap { number -> [TruthStudy.Figure] in
      guard let mean = spaces[number].meanCO2, venue.spaces.indices.contains(number) else { return [] }
      let id = venue.spaces[number].id.rawValue
      return [
        TruthStudy.Figure(
          name: "air_mean_co2_ppm[\(id)]",
          title: "\(titles[number]): mean carbon dioxide while people were present, ppm",
          value: mean, part: .space, place: number),
        TruthStudy.Figure(
          name: "air_peak_co2_ppm[\(id)]", title: "\(titles[number]): maximum carbon dioxide, ppm",
          value: spaces[number].peakCO2, part: .space, place: number),
      ]
    }
  }
}
