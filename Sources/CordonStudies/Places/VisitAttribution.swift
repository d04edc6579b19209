package import CordonCore
internal import CordonGeometry
package import CordonPresence
internal import CordonSupport

/// The probabilities that a visit was to each of some places. The nearest place does not win by itself: an inaccurate position says
/// little about neighbours, and a closed place is unlikely.
package struct VisitAttribution: Hashable, Sendable {
  /// A place and its probability.
  package struct Candidate: Hashable, Sendable {
    /// The place by its number in the list.
    package var place: Int
    /// The probability, 0 ... 1.
    package var probability: Double
  }

  /// The places by probability, most likely first; those below ``smallest`` are left out.
  package var candidates: [Candidate]
  /// The probability that the visit was to none of the places.
  package var elsewhere: Double

  /// Smaller probabilities are left out, and count as elsewhere.
  package static let smallest = 0.01
  /// How much less likely a visit to a closed place is.
  package static let closedFactor = 0.02
  /// The density of places that the list does not know, for each square metre: one in a circle of 100 m around.
  package static let background = 1 / (Double.pi * 100 * 100)
  /// The standard deviation of each axis for an accuracy radius of 1 m at 68 %.
  private static let sigmaPerRadius = 1 / 1.5096

  /// Attributes a visit.
  ///
  /// The position error and the extent of a place are normal distributions; their densities at the distance, times the share of the
  /// visit in which the place is open, are compared with each other and with ``background`` (Bayes' rule, equal priors).
  /// - Parameters:
  ///   - visit: the visit.
  ///   - accuracy: the accuracy radius of its position at 68 %, in metres.
  ///   - places: the list of places.
  ///   - offset: the time from UTC to the local clock.
  /// - Complexity: O(places).
  package init(_ visit: PresenceVisit, accuracy: Double, places: [PointOfInterest], offset: TimeSpan) {
    var weights: [(place: Int, weight: Double)] = []
    var sum = Self.background
    let error = max(accuracy, 1) * Self.sigmaPerRadius
    for (number, place) in places.enumerated() {
      let distance = Geodesic.distance(from: visit.coordinate, to: place.coordinate)
      // A disc of radius r has the variance r²/4 in each axis.
      let variance = error * error + place.radius * place.radius / 4
      guard distance * distance < 100 * variance else { continue }
      let density = PortableMath.exp(-distance * distance / (2 * variance)) / (2 * Double.pi * variance)
      let open = Self.openShare(of: place, visit, offset)
      let weight = density * (open + (1 - open) * Self.closedFactor)
      weights.append((number, weight))
      sum += weight
    }
    candidates = weights.map { Candidate(place: $0.place, probability: $0.weight / sum) }
      .filter { $0.probability >= Self.smallest }
      .sorted { ($1.probability, $0.place) < ($0.probability, $1.place) }
    elsewhere = max(0, 1 - candidates.reduce(0) { $0 + $1.probability })
  }

  /// Returns the share of a visit in which a place is open, by quarters of an hour.
  private static func openShare(of place: PointOfInterest, _ visit: PresenceVisit, _ offset: TimeSpan) -> Double {
    guard !place.hours.isEmpty else { return 1 }
    let length = max(visit.departure - visit.arrival, 1)
    let steps = min(max(length / 900_000, 1), 96)
    var open = 0
    for step in 0..<steps {
      let time = visit.arrival + length * (2 * step + 1) / (2 * steps) + offset.milliseconds
      if place.hours.contains(where: { $0.contains(localTime: time) }) { open += 1 }
    }
    return Double(open) / Double(steps)
  }
}

/// The visits of a study with their attribution, for a join with outcomes.
package struct VisitTable: Sendable {
  /// A visit of a participant.
  package struct Row: Sendable {
    /// The pseudonym.
    package var participant: ParticipantID
    /// The visit.
    package var visit: PresenceVisit
    /// The attribution.
    package var attribution: VisitAttribution
  }

  /// The visits by participant and time.
  package var rows: [Row]
  /// The list of places.
  package var places: [PointOfInterest]

  /// The table as CSV: a row for each visit and candidate, and one for elsewhere. Probabilities of a visit add up to 1.
  package var csv: String {
    var text = "participant,visit,arrival,departure,dwell_minutes,place,name,category,probability\r\n"
    func number(_ value: Double) -> String { JSONValue.number((value * 1e4).rounded() / 1e4).text() }
    for (index, row) in rows.enumerated() {
      let visit = row.visit
      let head = [
        row.participant.rawValue, String(index + 1), Instant(milliseconds: visit.arrival).rfc3339,
        Instant(milliseconds: visit.departure).rfc3339, String(visit.dwell / 60_000),
      ]
      for candidate in row.attribution.candidates {
        let place = places[candidate.place]
        let cells = [CSVCell.text(place.id), CSVCell.text(place.name), place.category, number(candidate.probability)]
        text += (head + cells).joined(separator: ",") + "\r\n"
      }
      text += (head + ["", "", "", number(row.attribution.elsewhere)]).joined(separator: ",") + "\r\n"
    }
    return text
  }
}

extension StudyService {
  /// Attributes the visits of all participants of a study to places.
  package func visits(
    of code: StudyCode, to places: [PointOfInterest], now: Instant
  ) throws(StudyError) -> VisitTable {
    let study = try study(code)
    var rows: [VisitTable.Row] = []
    for participant in try store.participants(of: code) {
      let state = try state(of: participant)
      let locations = try store.locations(of: participant.id, from: study.begins, to: study.ends)
      let quality = ParticipantQuality(locations, state, until: min(now, study.ends))
      for visit in quality.visits {
        rows.append(
          VisitTable.Row(
            participant: participant.id, visit: visit,
            attribution: VisitAttribution(
              visit, accuracy: Self.accuracy(of: visit, locations), places: places, offset: state.offset)))
      }
    }
    return VisitTable(rows: rows, places: places)
  }

  /// Returns the median accuracy radius of the locations of a visit; an unknown one counts as the limit of good ones.
  private static func accuracy(of visit: PresenceVisit, _ locations: [StudyLocation]) -> Double {
    let radii = locations.filter {
      $0.time.milliseconds >= visit.arrival && $0.time.milliseconds <= visit.departure && $0.quality != .mocked
    }.map { $0.accuracy ?? StudyLocation.goodAccuracy }.sorted()
    return radii.isEmpty ? StudyLocation.goodAccuracy : radii[radii.count / 2]
  }
}
