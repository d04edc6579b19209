import CordonCore
import CordonPresence
import MapKit
import SwiftUI

/// Days, stays and the home picker.
struct DayView: View {
  @ObservedObject var model: WayDiaryModel
  @State private var radius = 100.0
  @State private var region = MKCoordinateRegion()

  var body: some View {
    let summary = model.session.diary.summary()
    NavigationStack {
      Form {
        Section("Days") {
          ForEach(summary.days.reversed(), id: \.date) { day in
            VStack(alignment: .leading) {
              Text(day.date)
              Text("home \(hours(day.atHome)), away \(hours(day.away)), outdoors \(hours(day.outdoors))")
              Text("unknown \(hours(day.unknown)), \(Int(day.distance)) m").foregroundStyle(.secondary)
            }
          }
        }
        Section("Home") {
          // The home is the middle of the map.
          Map(coordinateRegion: $region).frame(height: 200)
          Picker("Radius", selection: $radius) {
            ForEach(WayDiarySession.radii, id: \.self) { Text("\(Int($0)) m") }
          }
          Button("This is my home from now on") {
            let home = Coordinate(longitude: region.center.longitude, latitude: region.center.latitude)
            Task { await model.run { try await model.session.moveHome(to: home, radius: radius) } }
          }
        }
      }
      .navigationTitle("Day")
    }
  }

  private func hours(_ span: TimeSpan) -> String { String(format: "%.1f h", span.seconds / 3_600) }
}
