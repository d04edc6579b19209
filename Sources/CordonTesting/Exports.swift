// The modules whose types the public interface of this module uses.
@_exported public import CordonCore
@_exported public import CordonGeometry
@_exported public import CordonMonitoring
