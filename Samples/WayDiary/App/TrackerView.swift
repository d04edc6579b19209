import CordonApple
import CordonPresence
import SwiftUI

/// Status, permission guide, consents and trips.
struct TrackerView: View {
  @ObservedObject var model: WayDiaryModel
  @State private var mode = "bicycle"
  @State private var isAsking = false
  @State private var permission = LocationPermission()

  var body: some View {
    NavigationStack {
      Form {
        Section("Now") {
          Text(model.session.sentence)
          if let remedy = model.session.remedy { Text(remedy).foregroundStyle(.secondary) }
        }
        Section("Set up") {
          ForEach(model.session.guide.steps, id: \.title) { step in
            Label(step.title, systemImage: step.isDone ? "checkmark.circle" : "circle")
          }
          if model.session.guide.next != nil { Button("Continue") { isAsking = true } }
        }
        Section("Trip") {
          if model.session.settings.trip == nil {
            Picker("Mode", selection: $mode) { ForEach(PersonDiary.tripModes, id: \.self) { Text($0) } }
            Button("Start") { Task { await model.run { try await model.session.startTrip(mode) } } }
          } else {
            Button("Stop") { Task { await model.run { model.lastTrip = try await model.session.stopTrip() } } }
          }
          if let trip = model.lastTrip { Text("\(trip.mode), \(Int(trip.distance)) m") }
        }
        Section("Stop") {
          Button("Stop and delete", role: .destructive) { Task { await model.session.stopEverywhere() } }
        }
      }
      .navigationTitle("Way diary")
      .alert("Do you agree?", isPresented: $isAsking) {
        Button("I agree") {
          Task {
            await model.run { try await model.session.agree() }
            _ = await permission.request()
          }
        }
        Button("No", role: .cancel) {}
      } message: {
        Text(WayDiarySession.everywhereText)
      }
    }
  }
}
