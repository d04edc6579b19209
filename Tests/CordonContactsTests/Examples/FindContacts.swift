import CordonContacts

func observedContacts(of points: [TrackPoint]) -> [Contact] {
  let tracks = ObservedTracks(points, maximumGap: .seconds(30))
  return ContactFinder(distance: 2).contacts(in: tracks.segments())
}
