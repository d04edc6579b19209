#include "CCleanPages.h"

#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

#define PREFIX "clean:"

typedef struct File {
  sqlite3_file base;
  unsigned char *scratch; /* room for a page; NULL until the first one is written */
  int scratch_size;
  int is_database;
  /* The file of the layer below follows. */
} File;

static sqlite3_file *below(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

/* Pages: https://www.sqlite.org/fileformat2.html#b_tree_pages */

static size_t two(const unsigned char *bytes) { return (size_t)bytes[0] << 8 | bytes[1]; }

bool cordon_clean_page(unsigned char *page, size_t size, bool is_first) {
  size_t start = is_first ? 100 : 0;
  if (size < 512 || size > 65536 || (size & (size - 1))) return false;
  const unsigned char *header = page + start;
  size_t header_size;
  switch (header[0]) {
    case 2: case 5: header_size = 12; break;
    case 10: case 13: header_size = 8; break;
    default: return false;
  }
  size_t free_block = two(header + 1), cells = two(header + 3), content = two(header + 5);
  if (content == 0) content = 65536;
  size_t first = start + header_size + 2 * cells;
  if (first > content || content > size || header[7] > 60) return false;
  if (free_block && (free_block < content || free_block + 4 > size)) return false;
  for (size_t k = 0; k < cells; k++) {
    size_t cell = two(header + header_size + 2 * k);
    if (cell < content || cell + 4 > size) return false;
  }
  memset(page + first, 0, content - first);
  return true;
}

/* Methods of a file: all calls are passed on. */

static int file_close(sqlite3_file *file) {
  sqlite3_free(((File *)file)->scratch);
  ((File *)file)->scratch = NULL;
  return below(file)->pMethods->xClose(below(file));
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return below(file)->pMethods->xRead(below(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  File *self = (File *)file;
  sqlite3_file *real = below(file);
  if (self->is_database && count >= 512 && offset % count == 0) {
    if (self->scratch_size < count) {
      unsigned char *room = sqlite3_realloc(self->scratch, count);
      if (!room) return SQLITE_IOERR_NOMEM;
      self->scratch = room;
      self->scratch_size = count;
    }
    memcpy(self->scratch, bytes, (size_t)count);
    if (cordon_clean_page(self->scratch, (size_t)count, offset == 0)) bytes = self->scratch;
  }
  return real->pMethods->xWrite(real, bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return below(file)->pMethods->xTruncate(below(file), size);
}

static int file_sync(sqlite3_file *file, int flags) { return below(file)->pMethods->xSync(below(file), flags); }

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return below(file)->pMethods->xFileSize(below(file), size);
}

static int file_lock(sqlite3_file *file, int level) { return below(file)->pMethods->xLock(below(file), level); }

static int file_unlock(sqlite3_file *file, int level) { return below(file)->pMethods->xUnlock(below(file), level); }

static int file_check_lock(sqlite3_file *file, int *result) {
  return below(file)->pMethods->xCheckReservedLock(below(file), result);
}

static int file_control(sqlite3_file *file, int order, void *argument) {
  return below(file)->pMethods->xFileControl(below(file), order, argument);
}

static int file_sector(sqlite3_file *file) { return below(file)->pMethods->xSectorSize(below(file)); }

static int file_traits(sqlite3_file *file) { return below(file)->pMethods->xDeviceCharacteristics(below(file)); }

static int file_map(sqlite3_file *file, int region, int size, int extend, void volatile **result) {
  return below(file)->pMethods->xShmMap(below(file), region, size, extend, result);
}

static int file_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
  return below(file)->pMethods->xShmLock(below(file), offset, count, flags);
}

static void file_barrier(sqlite3_file *file) { below(file)->pMethods->xShmBarrier(below(file)); }

static int file_unmap(sqlite3_file *file, int remove) { return below(file)->pMethods->xShmUnmap(below(file), remove); }

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **result) {
  return below(file)->pMethods->xFetch(below(file), offset, count, result);
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
  return below(file)->pMethods->xUnfetch(below(file), offset, bytes);
}

/* The layer below may support fewer methods; then so does this one. */
#define METHODS(version)                                                                                              \
  {                                                                                                                   \
    version, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock,          \
        file_check_lock, file_control, file_sector, file_traits, file_map, file_shared_lock, file_barrier,            \
        file_unmap, file_fetch, file_unfetch                                                                          \
  }
static const sqlite3_io_methods methods[3] = {METHODS(1), METHODS(2), METHODS(3)};

/* Methods of the layer. */

static sqlite3_vfs *base_of(sqlite3_vfs *layer) { return layer->pAppData; }

static int layer_open(sqlite3_vfs *layer, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  File *self = (File *)file;
  sqlite3_file *real = below(file);
  memset(self, 0, sizeof *self);
  real->pMethods = NULL;
  self->is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
  int code = base_of(layer)->xOpen(base_of(layer), name, real, flags, flags_out);
  if (real->pMethods) {
    int version = real->pMethods->iVersion;
    file->pMethods = &methods[version < 1 ? 0 : version > 3 ? 2 : version - 1];
  }
  return code;
}

static int layer_delete(sqlite3_vfs *layer, const char *name, int sync) {
  return base_of(layer)->xDelete(base_of(layer), name, sync);
}

static int layer_access(sqlite3_vfs *layer, const char *name, int flags, int *result) {
  return base_of(layer)->xAccess(base_of(layer), name, flags, result);
}

static int layer_path(sqlite3_vfs *layer, const char *name, int size, char *result) {
  return base_of(layer)->xFullPathname(base_of(layer), name, size, result);
}

static int layer_random(sqlite3_vfs *layer, int count, char *bytes) {
  return base_of(layer)->xRandomness(base_of(layer), count, bytes);
}

static int layer_sleep(sqlite3_vfs *layer, int microseconds) {
  return base_of(layer)->xSleep(base_of(layer), microseconds);
}

static int layer_time(sqlite3_vfs *layer, double *time) { return base_of(layer)->xCurrentTime(base_of(layer), time); }

static int layer_error(sqlite3_vfs *layer, int count, char *text) {
  return base_of(layer)->xGetLastError ? base_of(layer)->xGetLastError(base_of(layer), count, text) : 0;
}

const char *cordon_clean_pages_layer(const char *base) {
  if (sqlite3_initialize() != SQLITE_OK) return NULL;
  sqlite3_vfs *real = sqlite3_vfs_find(base);
  if (!real) return NULL;
  if (strncmp(real->zName, PREFIX, strlen(PREFIX)) == 0) return real->zName;
  char *name = sqlite3_mprintf(PREFIX "%s", real->zName);
  if (!name) return NULL;
  sqlite3_mutex *mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
  sqlite3_mutex_enter(mutex);
  sqlite3_vfs *layer = sqlite3_vfs_find(name);
  if (layer && base_of(layer) == real) {
    sqlite3_free(name);
  } else {
    /* Never freed, because connections may exist until the process ends. */
    layer = sqlite3_malloc(sizeof *layer);
    if (layer) {
      memset(layer, 0, sizeof *layer);
      layer->iVersion = 1;
      layer->szOsFile = (int)sizeof(File) + real->szOsFile;
      layer->mxPathname = real->mxPathname;
      layer->zName = name;
      layer->pAppData = real;
      layer->xOpen = layer_open;
      layer->xDelete = layer_delete;
      layer->xAccess = layer_access;
      layer->xFullPathname = layer_path;
      layer->xRandomness = layer_random;
      layer->xSleep = layer_sleep;
      layer->xCurrentTime = layer_time;
      layer->xGetLastError = layer_error;
      if (sqlite3_vfs_register(layer, 0) != SQLITE_OK) {
        sqlite3_free(layer);
        layer = NULL;
      }
    }
    if (!layer) sqlite3_free(name);
  }
  sqlite3_mutex_leave(mutex);
  return layer ? layer->zName : NULL;
}
