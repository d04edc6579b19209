struct ReportPage {
  let contents: RunContents
  func bytes() -> [UInt8] { PackageResources.report_html }
}
