import SwiftUI

/// Destinations of positions, setup links and the export.
struct DataView: View {
  @ObservedObject var model: WayDiaryModel
  @State private var export: URL?

  var body: some View {
    NavigationStack {
      Form {
        Section("Positions go to") {
          ForEach(model.session.destinations, id: \.name) { destination in
            Text("\(destination.name): \(destination.waiting) waiting")
          }
        }
        if let link = model.link { Section("Setup link") { confirmation(of: link) } }
        Section("My data") {
          Button("Export") {
            Task {
              await model.run {
                let url = FileManager.default.temporaryDirectory.appendingPathComponent("my-data.json")
                try await model.session.export().write(to: url)
                export = url
              }
            }
          }
          if let export { ShareLink(item: export) }
        }
        if let fault = model.fault { Section("Fault") { Text(fault) } }
      }
      .navigationTitle("Data")
    }
  }

  /// The old and the new values, which the person confirms.
  @ViewBuilder private func confirmation(of link: String) -> some View {
    if let changes = try? model.session.changes(of: link) {
      ForEach(changes, id: \.name) { change in Text("\(change.name): \(change.old) → \(change.new)") }
      Button("Apply") {
        Task { await model.run { try model.session.apply(link) } }
        model.link = nil
      }
    } else {
      Text("This link cannot be used. Ask its sender for a new one.")
    }
    Button("Ignore", role: .cancel) { model.link = nil }
  }
}
