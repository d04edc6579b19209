import CordonApple
import SwiftUI

struct DiaryView: View {
  @ObservedObject var model: DiaryModel
  @State private var inviteCode = ""
  @State private var isAsking = false
  @State private var permission = LocationPermission()

  var body: some View {
    NavigationStack {
      Form {
        Section("Now") {
          Text(model.sentence)
          if let remedy = model.remedy { Text(remedy).foregroundStyle(.secondary) }
        }
        Section("Take part") {
          TextField("Invite code", text: $inviteCode)
          Button("Read and agree") { isAsking = true }
            .disabled(inviteCode.isEmpty)
        }
        Section("Stop") {
          Button("Withdraw and erase", role: .destructive) { Task { await model.withdraw() } }
        }
      }
      .navigationTitle("Venue diary")
      .alert("Do you agree?", isPresented: $isAsking) {
        Button("I agree") {
          Task {
            await model.agree(inviteCode: inviteCode)
            _ = await permission.request()
          }
        }
        Button("No", role: .cancel) {}
      } message: {
        Text(TrackingSession.consentText)
      }
    }
  }
}
