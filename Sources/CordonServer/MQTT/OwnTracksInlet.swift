internal import CordonCore
internal import CordonIngest
internal import Foundation

/// Turns messages of OwnTracks into requests of its HTTP mode, which the core judges as any other.
///
/// A topic is `BASE/DEVICE/SECRET`: the device's name and the secret of its activation, which OwnTracks sends as user and device of
/// its topic. The broker is not trusted to know who sends.
struct OwnTracksInlet: Sendable {
  /// What becomes of a message.
  enum Outcome: Hashable, Sendable {
    /// It was stored or discarded for good.
    case taken
    /// It was refused for good: other credentials, or not a message of OwnTracks.
    case refused
    /// The server could not store it; the broker keeps it.
    case later
  }

  /// The first levels of topics.
  let base: String

  /// The filter of topics.
  var filter: String { base + "/+/+" }

  /// The address by which failed attempts are counted.
  static let peer = "mqtt"

  /// Returns the request of a message; `nil` for a topic of another form.
  func request(of message: MQTTMessage) -> IngestRequest? {
    guard message.topic.hasPrefix(base + "/") else { return nil }
    let levels = message.topic.dropFirst(base.utf8.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    // The first colon of credentials ends the name.
    guard levels.count == 2, !levels[0].isEmpty, !levels[1].isEmpty, !levels[0].contains(":") else { return nil }
    let credentials = Data("\(levels[0]):\(levels[1])".utf8).base64EncodedString()
    return IngestRequest(
      "POST", "/owntracks",
      headers: [.init("authorization", "Basic \(credentials)"), .init("content-type", "application/json")],
      body: message.payload, peer: Self.peer)
  }

  /// Judges the status of the answer.
  static func outcome(ofStatus status: Int) -> Outcome {
    switch status {
    case 200..<300: .taken
    case 500...: .later
    default: .refused
    }
  }
}
