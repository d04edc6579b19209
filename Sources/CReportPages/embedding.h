// The macro of modules that embed files.
//
// The Swift compiler takes 0.2 ms for each byte of an array: a minute for the pages of all modules. clang takes none.
#ifndef CORDON_EMBEDDING_H
#define CORDON_EMBEDDING_H

#include <stddef.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

// Defines `cordon_PREFIX_NAME`, which returns the bytes of the array `NAME` and sets their count.
#define CORDON_BYTES(prefix, name)                               \
    const unsigned char *cordon_##prefix##_##name(size_t *count) { \
        *count = sizeof name;                                    \
        return name;                                             \
    }

#endif
