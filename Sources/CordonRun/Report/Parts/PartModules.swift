import CReportPages
import CordonSupport

/// The scripts of the parts as ES modules, for pages whose scripts are files of their own.
package enum PartModules {
  /// Elements, numbers, times and paper: `parts.js`.
  package static var parts: String {
    String(decoding: embeddedFile(cordon_report_parts_js), as: UTF8.self) + """
      export {
        byId, make, draw, limited, numberText, counted, clockOf, classOf, heatLimits, legendItems, limitTexts, styleOf,
        isMotionReduced, whenSchemeChanges, whenPrinting, press, buttonGroup,
      };

      """
  }

  /// Sortable tables: `tables.js`, which imports `parts.js` from the folder that it lies in.
  package static var tables: String {
    "import { make } from \"./parts.js\";\n" + String(decoding: embeddedFile(cordon_report_tables_js), as: UTF8.self)
      + "export { makeSortable };\n"
  }
}
