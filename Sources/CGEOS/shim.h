// Only the re-entrant half of the GEOS C API is visible to Swift.
#define GEOS_USE_ONLY_R_API 1
#include <geos_c.h>
