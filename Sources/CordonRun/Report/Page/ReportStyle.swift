/// The look of the report, which pages of other commands share.
package enum ReportStyle {
  /// The style sheet: light and dark, for phones and for paper. It refers to nothing outside.
  package static var css: String { String(decoding: PackageResources.report_css, as: UTF8.self) }
}
