import CordonRun

extension AirStudy {
  /// The figures of the whole building, for comparisons.
  var buildingFigures: [TruthStudy.Figure] {
    figures.map { TruthStudy.Figure(name: $0.name, title: $0.title, value: $0.value) }
  }

  /// Returns the figures of spaces in which people were, for comparisons.
  func spaceFigures(in venue: RunVenue) -> [TruthStudy.Figure] {
    let titles = venue.distinctTitles
    return air.spaces.indices.flatMap { number -> [TruthStudy.Figure] in
      guard let mean = air.spaces[number].meanCO2 else { return [] }
      let id = venue.spaces[number].id.rawValue
      return [
        TruthStudy.Figure(
          name: "air_mean_co2_ppm[\(id)]",
          title: "\(titles[number]): mean carbon dioxide while people were present, ppm",
          value: mean, part: .space, place: number),
        TruthStudy.Figure(
          name: "air_peak_co2_ppm[\(id)]", title: "\(titles[number]): maximum carbon dioxide, ppm",
          value: air.spaces[number].peakCO2, part: .space, place: number),
      ]
    }
  }
}
