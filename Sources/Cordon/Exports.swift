// Apps need `import Cordon` only: these modules hold what its interface speaks of.
@_exported public import CordonCore
@_exported public import CordonGeometry
@_exported public import CordonMonitoring
@_exported public import CordonStorage
