public import Cordon
public import CordonMonitoring
public import Foundation

extension SinkEndpoint {
  /// Makes a sink of positions at a FHIR server: an Observation `omh:geoposition:1.0` for each location.
  ///
  /// - Parameters:
  ///   - url: the base of the server, such as `https://exchange.example.org/FHIR/R5/`.
  ///   - patient: the identifier of the person's Patient at the server. There is no default.
  ///   - device: the identifier of the Device at the server. There is no default.
  ///   - isRelease4: whether the server speaks R4 instead of R5.
  ///   - id: the number of the sink; `nil` for that of the format.
  ///   - token: a bearer token of the server.
  /// - Throws: an error that names the parameter, for a missing or malformed identifier.
  public static func fhirPositions(
    url: URL, patient: String, device: String, isRelease4: Bool = false, id: SinkID? = nil, token: String? = nil
  ) throws -> SinkEndpoint {
    try fhir(.geoposition, url, patient, device, isRelease4, id, token)
  }

  /// Makes a sink of rests at a FHIR server: an Observation `omh:time-interval:1.0` for each stay at one place that ended.
  ///
  /// - Parameters:
  ///   - url: the base of the server, such as `https://exchange.example.org/FHIR/R5/`.
  ///   - patient: the identifier of the person's Patient at the server. There is no default.
  ///   - device: the identifier of the Device at the server. There is no default.
  ///   - isRelease4: whether the server speaks R4 instead of R5.
  ///   - id: the number of the sink, 16 to 255: positions have that of the format.
  ///   - token: a bearer token of the server.
  /// - Throws: an error that names the parameter, for a missing or malformed identifier.
  public static func fhirRests(
    url: URL, patient: String, device: String, isRelease4: Bool = false, id: SinkID, token: String? = nil
  ) throws -> SinkEndpoint {
    try fhir(.timeInterval, url, patient, device, isRelease4, id, token)
  }

  private static func fhir(
    _ type: FHIRDataType, _ url: URL, _ patient: String, _ device: String, _ isRelease4: Bool, _ id: SinkID?,
    _ token: String?
  ) throws(FHIRError) -> SinkEndpoint {
    let target = try FHIRTarget(
      patient: patient, device: device, dataType: type, version: isRelease4 ? .r4 : .r5)
    return SinkEndpoint(FHIRFormat(target), id: id, url: url, token: token)
  }
}
