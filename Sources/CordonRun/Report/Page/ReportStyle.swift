import CReportPages
import CordonSupport

/// The look of the report, which pages of other commands share.
package enum ReportStyle {
  /// The style sheet: light and dark, for phones and for paper. It refers to nothing outside.
  package static var css: String {
    [cordon_report_report_css, cordon_report_study_css, cordon_report_player_css]
      .map { String(decoding: embeddedFile($0), as: UTF8.self) }.joined()
  }
}
