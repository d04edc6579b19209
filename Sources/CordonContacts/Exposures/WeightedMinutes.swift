/// Minutes of contact weighted by distance, in the manner of exposure notification, where attenuation bands
/// carry weights: here the bands are distances.
package struct WeightedMinutes: Hashable, Sendable {
  /// A band of distances.
  package struct Band: Hashable, Sendable {
    /// The largest distance of the band; metres.
    package var upTo: Double
    /// The weight of a minute, 0 ... 2.5.
    package var weight: Double

    /// A band.
    package init(upTo: Double, weight: Double) {
      self.upTo = upTo
      self.weight = weight
    }
  }

  /// Bands from near to far.
  package let bands: [Band]

  /// Bands in any order; weights below 0 count as 0 and above 2.5 as 2.5, as in the model.
  package init(bands: [Band]) {
    self.bands = bands.sorted { $0.upTo < $1.upTo }.map {
      Band(upTo: $0.upTo, weight: min(max($0.weight, 0), 2.5))
    }
  }

  /// Within 1 m a minute counts one and a half, to 2 m one, to 4 m a half. The model leaves weights to health authorities;
  /// these are ours.
  package static let standard = WeightedMinutes(bands: [
    Band(upTo: 1, weight: 1.5), Band(upTo: 2, weight: 1), Band(upTo: 4, weight: 0.5),
  ])

  /// The largest distance that counts: contacts must be found up to each band's.
  package var reach: Double { bands.last?.upTo ?? 0 }

  /// The weighted minutes of each pair, by devices.
  ///
  /// - Parameters:
  ///   - segments: the tracks.
  ///   - finder: how contacts are found; its distance is replaced by each band's in turn.
  package func minutes(
    in segments: [Segment], finder: ContactFinder
  ) -> [(first: Int32, second: Int32, minutes: Double)] {
    minutes(of: finders(finder).map { $0.contacts(in: segments) })
  }

  /// A finder for each band, with its distance.
  package func finders(_ finder: ContactFinder) -> [ContactFinder] {
    bands.map { band in
      var finder = finder
      finder.distance = band.upTo
      finder.walls = [:]
      return finder
    }
  }

  /// The weighted minutes of each pair, by devices.
  /// - Parameter contacts: for each band the contacts of its finder, in any order.
  package func minutes(of contacts: [[Contact]]) -> [(first: Int32, second: Int32, minutes: Double)] {
    var sums: [UInt64: Double] = [:]
    // Time within a band is the time within its far edge less that within its near edge.
    for (k, band) in bands.enumerated() where k < contacts.count {
      let change = band.weight - (k + 1 < bands.count ? bands[k + 1].weight : 0)
      guard change != 0 else { continue }
      for contact in contacts[k].sorted(by: Contact.isListedBefore) {
        sums[PairIntervals.key(contact.first, contact.second), default: 0] +=
          change * Double(contact.duration) / 6e7
      }
    }
    return sums.keys.sorted().map { key in
      (Int32(truncatingIfNeeded: key >> 32), Int32(truncatingIfNeeded: key), sums[key] ?? 0)
    }
  }
}
