import Combine
import CordonApple
import CordonPresence
import SwiftUI

@main
struct WayDiaryApp: App {
  @StateObject private var model = WayDiaryModel()

  var body: some Scene {
    WindowGroup {
      TabView {
        TrackerView(model: model).tabItem { Label("Tracker", systemImage: "location") }
        DayView(model: model).tabItem { Label("Day", systemImage: "calendar") }
        DataView(model: model).tabItem { Label("Data", systemImage: "tray.full") }
      }
      .task { await model.open() }
      .onOpenURL { model.link = $0.absoluteString }
    }
  }
}

/// Brings a ``WayDiarySession`` to the screen.
@MainActor
final class WayDiaryModel: ObservableObject {
  let session = WayDiarySession()
  /// A setup link that waits for the person's confirmation.
  @Published var link: String?
  @Published var fault: String?
  @Published var lastTrip: PersonDiary.Trip?

  init() {
    BackgroundRefresh.register { [session] in await session.current }
    session.onChange = { [weak self] in self?.objectWillChange.send() }
  }

  func open() async {
    await run {
      let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      let sensors = Sensors(motion: CoreMotionProvider(), connectivity: PathConnectivity())
      try await self.session.open(.init(in: folder), provider: CoreLocationProvider(), sensors: sensors)
      await self.session.follow()
    }
  }

  /// Runs an action, and shows its fault.
  func run(_ body: () async throws -> Void) async {
    do { try await body() } catch { fault = "\(error)" }
  }
}
