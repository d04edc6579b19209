import CordonCore
package import CordonSupport
import Foundation

/// Writes Observations as a `Bundle` of type `batch`: one conditional `POST` for each of them.
///
/// A server that supports conditional creation keeps one copy of an Observation however often it arrives; one that has unique
/// identifiers answers 409 to a copy.
package enum FHIRBundle {
  /// The media type of FHIR in JSON.
  package static let mediaType = "application/fhir+json"
  /// The system of identifiers that are URIs.
  package static let identifierSystem = "urn:ietf:rfc:3986"
  /// The extension with the radius of a position at 68 %, a Quantity in metres.
  package static let accuracyExtension = "urn:cordon:fhir:horizontal-accuracy"
  private static let units = "http://unitsofmeasure.org"

  /// Returns the bundle of Observations, in their order.
  package static func encode(_ observations: [FHIRObservation], for target: FHIRTarget) -> [UInt8] {
    let bundle: JSONValue = [
      "resourceType": "Bundle", "type": "batch",
      "entry": .array(observations.map { entry($0, target) }),
    ]
    return Array(bundle.text().utf8)
  }

  /// Returns the Observation as a resource.
  package static func resource(_ observation: FHIRObservation, for target: FHIRTarget) -> JSONValue {
    var members: [JSONValue.Member] = [.init("resourceType", "Observation")]
    if case .position(_, let accuracy, _, _) = observation.value {
      members.append(
        .init("extension", [["url": .string(accuracyExtension), "valueQuantity": quantity(accuracy, "m", "m")]]))
    }
    members += [
      .init("identifier", [["system": .string(identifierSystem), "value": .string(urn(observation))]]),
      .init("status", .string(observation.isAmended ? "amended" : "final")),
      .init(
        "category",
        [
          [
            "coding": [
              [
                "system": "http://terminology.hl7.org/CodeSystem/observation-category", "code": "survey",
                "display": "Survey",
              ]
            ]
          ]
        ]),
      .init("code", code(observation, target)),
      .init("subject", ["reference": .string("Patient/" + target.patient)]),
    ]
    switch observation.value {
    case .position(_, _, _, let time): members.append(.init("effectiveDateTime", .string(time.rfc3339)))
    case .interval(let start, let end), .total(_, let start, let end):
      members.append(.init("effectivePeriod", period(start, end)))
    }
    members.append(.init("device", ["reference": .string("Device/" + target.device)]))
    switch target.version {
    case .r5: members.append(.init("valueAttachment", attachment(observation)))
    case .r4: members += values(observation.value)
    }
    return .object(members)
  }

  private static func entry(_ observation: FHIRObservation, _ target: FHIRTarget) -> JSONValue {
    [
      "fullUrl": .string(urn(observation)), "resource": resource(observation, for: target),
      "request": [
        "method": "POST", "url": "Observation",
        "ifNoneExist": .string("identifier=\(identifierSystem)|\(urn(observation))"),
      ],
    ]
  }

  private static func urn(_ observation: FHIRObservation) -> String { "urn:uuid:" + observation.identifier }

  private static func code(_ observation: FHIRObservation, _ target: FHIRTarget) -> JSONValue {
    let type = observation.dataType
    var codings: [JSONValue] = [
      ["system": .string(FHIRDataType.system), "code": .string(type.code), "display": .string(type.display)]
    ]
    if target.hasIEEECode, type == .timeInterval {
      codings.append(
        ["system": "https://w3id.org/ieee1752", "code": "ieee:time-interval:1.0", "display": "Time interval"])
    }
    return ["coding": .array(codings), "text": .string(observation.text ?? type.display)]
  }

  // MARK: - Release 5

  private static func attachment(_ observation: FHIRObservation) -> JSONValue {
    let data = Data(dataPoint(observation).text().utf8).base64EncodedString()
    return ["contentType": "application/json", "data": .string(data)]
  }

  /// Returns the data point: a header of IEEE 1752.1 and a body of Open mHealth. The radius of a position and its floor are
  /// members of ours, which the schema permits.
  package static func dataPoint(_ observation: FHIRObservation) -> JSONValue {
    let created: Instant
    let body: JSONValue
    switch observation.value {
    case .position(let place, let accuracy, let floor, let time):
      created = time
      var members: [JSONValue.Member] = [
        .init("latitude", ["value": .number(place.latitude), "unit": "deg"]),
        .init("longitude", ["value": .number(place.longitude), "unit": "deg"]),
        .init("horizontal_accuracy", ["value": .number(accuracy), "unit": "m"]),
      ]
      if let floor { members.append(.init("floor", .number(floor.value))) }
      members.append(.init("effective_time_frame", ["date_time": .string(time.rfc3339)]))
      body = .object(members)
    case .interval(let start, let end):
      created = end
      body = ["start_date_time": .string(start.rfc3339), "end_date_time": .string(end.rfc3339)]
    case .total(let minutes, let start, let end):
      created = end
      body = ["start_date_time": .string(start.rfc3339), "duration": ["value": .number(minutes), "unit": "min"]]
    }
    let type = observation.dataType
    return [
      "header": [
        "uuid": .string(observation.identifier),
        "schema_id": ["namespace": "omh", "name": .string(type.rawValue), "version": "1.0"],
        "source_creation_date_time": .string(created.rfc3339), "modality": "sensed",
      ],
      "body": body,
    ]
  }

  // MARK: - Release 4

  /// Returns the value as release 4 has it: an Observation has no attachment there.
  private static func values(_ value: FHIRObservation.Value) -> [JSONValue.Member] {
    switch value {
    case .position(let place, let accuracy, let floor, _):
      var components: [JSONValue] = [
        component("Latitude", concept: "C1627936", quantity(place.latitude, "deg", "deg")),
        component("Longitude", concept: "C1657623", quantity(place.longitude, "deg", "deg")),
        component("Horizontal accuracy, 68 %", quantity(accuracy, "m", "m")),
      ]
      if let floor { components.append(component("Floor", quantity(floor.value, "floor", "1"))) }
      return [.init("component", .array(components))]
    case .interval(let start, let end): return [.init("valuePeriod", period(start, end))]
    case .total(let minutes, _, _): return [.init("valueQuantity", quantity(minutes, "min", "min"))]
    }
  }

  /// - Parameter concept: the concept of the NCI Metathesaurus that the schema of Open mHealth names.
  private static func component(_ text: String, concept: String? = nil, _ quantity: JSONValue) -> JSONValue {
    var code: [JSONValue.Member] = []
    if let concept {
      code.append(.init("coding", [["system": "http://ncimeta.nci.nih.gov", "code": .string(concept)]]))
    }
    code.append(.init("text", .string(text)))
    return ["code": .object(code), "valueQuantity": quantity]
  }

  private static func quantity(_ value: Double, _ unit: String, _ code: String) -> JSONValue {
    ["value": .number(value), "unit": .string(unit), "system": .string(units), "code": .string(code)]
  }

  private static func period(_ start: Instant, _ end: Instant) -> JSONValue {
    ["start": .string(start.rfc3339), "end": .string(end.rfc3339)]
  }
}
