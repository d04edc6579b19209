import Combine
import CordonApple
import SwiftUI

@main
struct VenueDiaryApp: App {
  @StateObject private var model = DiaryModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some Scene {
    WindowGroup {
      DiaryView(model: model)
        .task { await model.open() }
    }
    .onChange(of: scenePhase) { phase in
      if phase == .background { BackgroundRefresh.schedule() }
    }
  }
}

/// Brings a ``TrackingSession`` to the screen.
@MainActor
final class DiaryModel: ObservableObject {
  @Published var sentence = "Loading."
  @Published var remedy: String?
  private let session = TrackingSession()

  init() {
    BackgroundRefresh.register { [session] in await session.current }
    session.onChange = { [weak self] in
      guard let self else { return }
      self.sentence = self.session.sentence
      self.remedy = self.session.remedy
    }
  }

  func open() async {
    do {
      guard let packed = Bundle.main.url(forResource: "venue", withExtension: "cvp"),
        let server = URL(string: "https://cordon.example.org")
      else { return }
      let folder = try FileManager.default.url(
        for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
      try await session.open(
        venue: Data(contentsOf: packed), server: server, store: folder.appendingPathComponent("cordon.sqlite"))
    } catch {
      sentence = "\(error)"
    }
  }

  func agree(inviteCode: String) async {
    do { try await session.agree(inviteCode: inviteCode) } catch { sentence = "\(error.localizedDescription)" }
  }
  func withdraw() async { await session.withdraw() }
}
