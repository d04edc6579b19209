#include "CContactKernel.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#endif

void cordon_contact_keep_freed_memory(size_t bytes) {
#if defined(__linux__) && defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
  mallopt(M_TRIM_THRESHOLD, bytes < (1 << 30) ? (int)bytes : 1 << 30);
#else
  (void)bytes;
#endif
}
