// The modules whose types this module's interface uses.
@_exported public import CordonCore
@_exported public import CordonGeometry
