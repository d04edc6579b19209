import CFormPages
import CordonSupport

/// The files of the installable app in which collectors answer a form: a server serves them below `/forms/FORM/`.
///
/// They are the same for all forms but for the name in the manifest, and hold no question and no record. The app fetches the form
/// with the key of its link, works offline, and exchanges records when there is a network.
package enum FormApp {
  /// A file with its media type and an entity tag, with quotation marks.
  package struct File: Hashable, Sendable {
    package var type: String
    package var bytes: [UInt8]
    package var tag: String

    init(_ type: String, _ bytes: [UInt8]) {
      self.type = type
      self.bytes = bytes
      tag = "\"\(SHA256.hexDigest(of: bytes).prefix(32))\""
    }
  }

  /// Returns a file; `nil` for other names, and for what cannot be the identifier of a form.
  /// - Parameter name: the last part of the address; empty for the page itself.
  package static func file(_ name: String, of form: String) -> File? {
    guard Form.isIdentifier(form, with: ["-"]) else { return nil }
    switch name {
    case "": return File("text/html; charset=utf-8", embeddedFile(cordon_form_app_html))
    case "app.js": return script
    case "app.css": return style
    case "icon.svg": return File("image/svg+xml", embeddedFile(cordon_form_icon_svg))
    case "worker.js": return worker
    case "preview.js": return preview
    case "manifest.webmanifest": return File("application/manifest+json", Array(manifest(form).text().utf8))
    default: return nil
    }
  }

  private static let style = File("text/css; charset=utf-8", embeddedFile(cordon_form_form_css))

  /// A module for the designer: the fields, conditions and checks of the app.
  private static let preview = File(
    "text/javascript; charset=utf-8",
    FormPage.libraries + embeddedFile(cordon_form_form_js) + embeddedFile(cordon_form_preview_js))

  private static let script = File(
    "text/javascript; charset=utf-8",
    [
      embeddedFile(cordon_form_revisions_js), FormPage.libraries, embeddedFile(cordon_form_exchange_js),
      embeddedFile(cordon_form_app_js),
    ]
    .reduce(Array("\"use strict\";\n".utf8)) { $0 + $1 } + embeddedFile(cordon_form_form_js))

  /// The service worker. It names the contents of the files, so that a browser replaces it together with them.
  private static let worker: File = {
    let tag = [script, style, File("", embeddedFile(cordon_form_app_html))].map(\.tag).joined()
    let name = String(SHA256.hexDigest(of: Array(tag.utf8)).prefix(16))
    let text = String(decoding: embeddedFile(cordon_form_worker_js), as: UTF8.self)
    return File("text/javascript; charset=utf-8", Array(text.replacing("{{tag}}", with: name).utf8))
  }()

  private static func manifest(_ form: String) -> JSONValue {
    [
      "name": .string(form), "short_name": .string(form), "id": "./", "start_url": "./", "scope": "./",
      "display": "standalone", "background_color": "#ffffff", "theme_color": "#0b5cad",
      "icons": [["src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"]],
    ]
  }
}
