/// The look of the report, which pages of other commands share.
package enum ReportStyle {
  /// The style sheet: light and dark, for phones and for paper. It refers to nothing outside.
  package static var css: String {
    [PackageResources.report_css, PackageResources.study_css, PackageResources.player_css]
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }
}
