#ifndef CORDON_INTERFACE_DESCRIPTION_H
#define CORDON_INTERFACE_DESCRIPTION_H

#include <stddef.h>

/// Returns the OpenAPI document of the server in UTF-8, and its size in bytes.
const unsigned char *_Nonnull cordon_interface_description(size_t *_Nonnull count);

#endif
