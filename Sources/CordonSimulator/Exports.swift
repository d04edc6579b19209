// The modules whose types the public interface of this module uses.
@_exported public import CordonContacts
@_exported public import CordonCore
@_exported public import CordonCrowd
@_exported public import CordonGeometry
@_exported public import CordonMonitoring
@_exported public import CordonRun
@_exported public import CordonVenues
