internal import CordonDashboard
internal import CordonIngest
internal import CordonWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The pages of the operators' console.
///
/// Documents hold no data of a venue: their scripts ask the documented endpoints for it. They load and run nothing from
/// other origins.
extension IngestResponder {
  /// The answer at `/`.
  var consoleStart: Response {
    guard settings.servesConsole else {
      return Self.response(Problem(404, .noSuchAddress, "there is nothing at this address").response)
    }
    return Self.redirection(to: ConsolePage.start)
  }

  /// Returns a page of the console or a file that pages load; `nil` for other addresses, and when it is left out.
  func consoleAnswer(_ request: Request) -> Response? {
    let path = request.uri.path
    guard settings.servesConsole, path == "/console" || path.hasPrefix("/console/") else { return nil }
    guard request.method == .get || request.method == .head else {
      return Self.response(Problem.wrongMethod(["GET", "HEAD"]).response)
    }
    if path == "/console" || path == "/console/" { return Self.redirection(to: ConsolePage.start) }
    if let asset = ConsoleAsset.at(path) {
      let accepted = request.headers[.acceptEncoding] ?? ""
      return Self.file(
        asset.bytes, asset.type, tag: asset.tag, asked: request.headers[.ifNoneMatch],
        isPacked: accepted.contains("gzip"))
    }
    var omitted: Set<ConsolePage> = settings.servesForms ? [] : ConsolePage.ofForms
    if studies == nil { omitted.formUnion(ConsolePage.ofStudies) }
    guard let page = ConsolePage(path: path), !omitted.contains(page) else {
      return Self.response(Problem(404, .noSuchAddress, "there is nothing at this address").response)
    }
    if let choice = choice(request) { return choice }
    let (language, theme) = consoleChoices(request)
    var frame = PageFrame(page: page, language: language, theme: theme)
    frame.omitted = omitted
    let document = frame.bytes
    var response = Self.response(
      IngestResponse(
        200, headers: PageHeaders.shared + [.init("content-type", "text/html; charset=utf-8")], body: document))
    response.headers[.cacheControl] = "no-cache"
    response.headers[.vary] = "cookie, accept-language"
    return response
  }

  /// The language and the colours that a request asks for.
  func consoleChoices(_ request: Request) -> (language: ConsoleLanguage, theme: ConsoleTheme) {
    let cookies = Self.cookies(request)
    let language =
      cookies[Self.languageCookie].flatMap(ConsoleLanguage.init)
      ?? ConsoleLanguage(accepted: request.headers[.acceptLanguage])
    return (language, cookies[Self.themeCookie].flatMap(ConsoleTheme.init) ?? .automatic)
  }

  private static let languageCookie = "cordon-language"
  private static let themeCookie = "cordon-theme"

  /// A choice of language or colours in the address: kept in a cookie, and taken out of the address.
  func choice(_ request: Request) -> Response? {
    let message = IngestRequest("GET", request.uri.string)
    var cookie: String?
    if let language = message.parameter("lang").flatMap(ConsoleLanguage.init(rawValue:)) {
      cookie = "\(Self.languageCookie)=\(language.rawValue)"
    } else if let theme = message.parameter("theme").flatMap(ConsoleTheme.init(rawValue:)) {
      cookie = "\(Self.themeCookie)=\(theme.rawValue)"
    }
    guard let cookie else { return nil }
    let rest = message.query.split(separator: "&").filter { !$0.hasPrefix("lang=") && !$0.hasPrefix("theme=") }
    var response = Self.redirection(to: request.uri.path + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&")))
    let secure = settings.certificate != nil || settings.isBehindProxy ? "; Secure" : ""
    response.headers[.setCookie] = "\(cookie); Path=/console; Max-Age=31536000; SameSite=Lax; HttpOnly\(secure)"
    return response
  }

  /// The cookies of a request by name.
  static func cookies(_ request: Request) -> [String: String] {
    var found: [String: String] = [:]
    for part in (request.headers[.cookie] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if pair.count == 2, found[pair[0]] == nil { found[pair[0]] = pair[1] }
    }
    return found
  }

  private static func redirection(to path: String) -> Response {
    var response = response(
      IngestResponse(303, headers: [.init("location", path), .init("cache-control", "no-store")]))
    response.headers[.contentLength] = "0"
    return response
  }

  /// A file, compressed for browsers that accept that. The compressed form has a weak tag of its own.
  private static func file(
    _ bytes: [UInt8], _ type: String, tag: String, asked: String?, isPacked: Bool
  ) -> Response {
    let tag = isPacked ? "W/" + tag : tag
    var headers = PageHeaders.shared + [.init("etag", tag), .init("vary", "accept-encoding")]
    if asked?.split(separator: ",").contains(where: { $0.trimmingCharacters(in: .whitespaces) == tag }) == true {
      return response(IngestResponse(304, headers: headers))
    }
    headers.append(.init("content-type", type))
    if isPacked { headers.append(.init("content-encoding", "gzip")) }
    return response(IngestResponse(200, headers: headers, body: isPacked ? Gzip.compress(bytes) : bytes))
  }
}
