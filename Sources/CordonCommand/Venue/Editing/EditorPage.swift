import CEditorPages
import CordonConsole
import CordonSupport
import Foundation

/// The page on which people correct a map: one file without requests, whose scripts only run as they are written here.
struct EditorPage {
  private let data: EditorData

  init(_ data: EditorData) { self.data = data }

  /// The page. Equal data give equal text.
  var html: String {
    let css = Self.text(embeddedFile(cordon_editor_edit_css))
    let script = Self.script
    return Self.fill(
      Self.text(embeddedFile(cordon_editor_edit_html)),
      [
        "version": MarkupText.escaped(CordonVersion.current), "policy": Self.policy(css: css, script: script),
        "title": MarkupText.escaped("\(data.title) · Cordon map editor"), "venue": MarkupText.escaped(data.title),
        "map": MarkupText.escaped(data.files.map), "file": MarkupText.escaped(data.files.overlay),
        "command": MarkupText.escaped(data.command), "css": css, "data": data.json.text(), "script": script,
      ])
  }

  /// The scripts in the order in which they depend on each other.
  private static var script: String {
    let parts = [
      cordon_editor_elements_js, cordon_editor_geometry_js, cordon_editor_venue_js, cordon_editor_changes_js,
      cordon_editor_overlay_text_js, cordon_editor_reachability_js, cordon_editor_plan_drawing_js,
      cordon_editor_plan_view_js, cordon_editor_tools_js, cordon_editor_keys_js, cordon_editor_inspector_js,
      cordon_editor_lists_js, cordon_editor_print_js, cordon_editor_start_js,
    ]
    return "(() => {\n\"use strict\";\n" + parts.map { text(embeddedFile($0)) }.joined(separator: "\n") + "})();\n"
  }

  /// The content security policy: this style sheet and this script, nothing else, so that no text of a map can run.
  static func policy(css: String, script: String) -> String {
    "default-src 'none'; style-src '\(source(css))'; script-src '\(source(script))'; base-uri 'none'; form-action 'none'"
  }

  private static func source(_ text: String) -> String {
    var digest = SHA256()
    digest.update(text)
    return "sha256-" + Data(digest.finalize()).base64EncodedString()
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Replaces every `{{name}}` of a template in one pass, so that values are never searched for names.
  private static func fill(_ template: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = Substring(template)
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      result += rest[..<open.lowerBound]
      result += values[String(rest[open.upperBound..<close.lowerBound])] ?? ""
      rest = rest[close.upperBound...]
    }
    return result + rest
  }
}
