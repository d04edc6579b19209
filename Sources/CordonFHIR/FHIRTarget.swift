import CordonCore

/// A version of FHIR.
package enum FHIRVersion: String, CaseIterable, Hashable, Sendable {
  /// Release 5: an Observation carries the Open mHealth data point as an attachment.
  case r5 = "R5"
  /// Release 4: an Observation has no attachment, so that the values are components.
  case r4 = "R4"
}

/// A type of data. A platform asks for the consent to each type, and each type is sent by a sink of its own.
package enum FHIRDataType: String, CaseIterable, Hashable, Sendable {
  /// Positions: `omh:geoposition:1.0`.
  case geoposition
  /// Intervals of time, such as rests or the time outdoors of a day: `omh:time-interval:1.0`.
  case timeInterval = "time-interval"

  /// The code of the type in ``system``.
  package var code: String { "omh:\(rawValue):1.0" }
  /// The name of the type for people.
  package var display: String { self == .geoposition ? "Geoposition" : "Time interval" }
  /// The code system of Open mHealth.
  package static let system = "https://w3id.org/openmhealth"

  /// Returns the type of a code of ``system``; `nil` for other codes.
  package init?(code: String) {
    guard let type = FHIRDataType.allCases.first(where: { $0.code == code }) else { return nil }
    self = type
  }
}

/// An invalid part of a FHIR sink, or an answer that is not FHIR: the place and the fault, without contents.
package struct FHIRError: CordonError, Hashable {
  /// The key of the configuration, or the path in the answer.
  package var place: String
  /// The fault, in lower case without a full stop.
  package var reason: String

  /// Makes an error of its parts.
  package init(_ place: String, _ reason: String) {
    self.place = place
    self.reason = reason
  }

  /// `patient: is missing`
  package var description: String { "\(place): \(reason)" }
  /// Names the place.
  package var remedy: String { "Correct \(place)." }
}

/// The person and the device of Observations at one server, and the type of data. Nothing has a default: a wrong patient would
/// receive somebody else's data.
package struct FHIRTarget: Hashable, Sendable {
  /// The identifier of the Patient at the server.
  package let patient: String
  /// The identifier of the Device at the server.
  package let device: String
  /// The type of data.
  package let dataType: FHIRDataType
  /// The version of FHIR of the server.
  package let version: FHIRVersion
  /// Whether intervals carry the code of IEEE 1752.1 beside that of Open mHealth. Some platforms accept one code only.
  package let hasIEEECode: Bool

  /// - Parameters:
  ///   - patient: `40001` or `Patient/40001`.
  ///   - device: `70001` or `Device/70001`.
  ///   - dataType: the type of data.
  ///   - version: the version of FHIR.
  ///   - hasIEEECode: see ``hasIEEECode``.
  /// - Throws: an error for a missing or malformed identifier.
  package init(
    patient: String, device: String, dataType: FHIRDataType, version: FHIRVersion = .r5, hasIEEECode: Bool = false
  ) throws(FHIRError) {
    self.patient = try FHIRTarget.id(patient, of: "Patient", at: "patient")
    self.device = try FHIRTarget.id(device, of: "Device", at: "device")
    self.dataType = dataType
    self.version = version
    self.hasIEEECode = hasIEEECode
  }

  private static func id(_ text: String, of type: String, at place: String) throws(FHIRError) -> String {
    let id = text.hasPrefix(type + "/") ? String(text.dropFirst(type.count + 1)) : text
    guard !id.isEmpty else { throw FHIRError(place, "is missing; it is never assumed") }
    let isValid = id.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isValid, id.utf8.count <= 64 else {
      throw FHIRError(place, "is not an identifier of FHIR: 1 to 64 letters, digits, '-' or '.'")
    }
    return id
  }
}
