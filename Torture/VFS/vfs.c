#include "CTortureVFS.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define MACHINES 32
#define FILES 256
#define REGIONS 64
#define REGION_SIZE 32768
/* Part of the path of every file of a machine; the part before it depends on the process. */
#define MARK "/torture-disk/"

/* An unsynced effect: the bytes before and after it. */
typedef struct Effect {
  int64_t offset;
  int64_t size_before;
  int64_t size_after;
  int64_t length;     /* of the new bytes */
  int64_t old_length; /* of the bytes that were overwritten */
  uint8_t *bytes;     /* new bytes, then old ones */
} Effect;

typedef struct File {
  bool exists;
  int machine;
  char path[200];
  uint8_t *data;
  int64_t size, capacity;
  Effect *effects;
  int effect_count, effect_capacity;
  void *regions[REGIONS];
} File;

typedef struct Machine {
  int64_t effects, syncs;
  int64_t kill_at; /* -1: never */
  uint32_t generation;
  bool dead, full;
} Machine;

typedef struct Handle {
  sqlite3_file base;
  File *file;
  uint32_t generation;
  bool delete_on_close;
} Handle;

static File files[FILES];
static Machine machines[MACHINES];
static sqlite3_vfs *real_vfs;
static sqlite3_vfs torture_vfs;
static uint64_t random_state;

/* Shared memory of dead processes: their handles may still read it until they are closed. */
static void **graves;
static int grave_count, grave_capacity;

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static void bury(void *memory) {
  if (!memory) return;
  if (grave_count == grave_capacity) {
    int capacity = grave_capacity ? grave_capacity * 2 : 64;
    void **more = realloc(graves, (size_t)capacity * sizeof(void *));
    /* Without memory for the list, the region is never freed: handles may still look at it. */
    if (!more) return;
    graves = more;
    grave_capacity = capacity;
  }
  graves[grave_count++] = memory;
}

static void forget_effects(File *file) {
  for (int i = 0; i < file->effect_count; i++) free(file->effects[i].bytes);
  file->effect_count = 0;
}

static void drop_regions(File *file) {
  for (int i = 0; i < REGIONS; i++) {
    bury(file->regions[i]);
    file->regions[i] = NULL;
  }
}

static int machine_of(const char *path) {
  const char *mark = path ? strstr(path, MARK) : NULL;
  if (!mark) return -1;
  int number = 0;
  const char *p = mark + sizeof MARK - 1;
  if (*p < '0' || *p > '9') return -1;
  while (*p >= '0' && *p <= '9') number = number * 10 + (*p++ - '0');
  return *p == '/' && number < MACHINES ? number : -1;
}

static File *find(const char *path) {
  for (int i = 0; i < FILES; i++)
    if (files[i].exists && strcmp(files[i].path, path) == 0) return &files[i];
  return NULL;
}

static File *make(const char *path, int machine) {
  if (strlen(path) >= sizeof files[0].path) return NULL;
  for (int i = 0; i < FILES; i++) {
    File *file = &files[i];
    if (file->exists) continue;
    file->exists = true;
    file->machine = machine;
    strcpy(file->path, path);
    file->size = 0;
    forget_effects(file);
    return file;
  }
  return NULL;
}

/* Counts an effect; false when the machine is dead, or dies now. */
static bool may_act(int number) {
  Machine *machine = &machines[number];
  if (machine->dead) return false;
  machine->effects++;
  if (machine->kill_at >= 0 && machine->effects >= machine->kill_at) {
    machine->dead = true;
    machine->kill_at = -1;
    return false;
  }
  return true;
}

static bool is_stale(Handle *handle) {
  Machine *machine = &machines[handle->file->machine];
  return machine->dead || machine->generation != handle->generation;
}

static bool reserve(File *file, int64_t size) {
  if (size <= file->capacity) return true;
  int64_t capacity = file->capacity ? file->capacity : 65536;
  while (capacity < size) capacity *= 2;
  uint8_t *data = realloc(file->data, (size_t)capacity);
  if (!data) return false;
  file->data = data;
  file->capacity = capacity;
  return true;
}

/* Saves the bytes that a write or a truncation changes. */
static bool note(File *file, int64_t offset, const void *bytes, int64_t length, int64_t size_after) {
  if (file->effect_count == file->effect_capacity) {
    int capacity = file->effect_capacity ? file->effect_capacity * 2 : 64;
    Effect *effects = realloc(file->effects, (size_t)capacity * sizeof(Effect));
    if (!effects) return false;
    file->effects = effects;
    file->effect_capacity = capacity;
  }
  Effect *effect = &file->effects[file->effect_count];
  effect->offset = offset;
  effect->size_before = file->size;
  effect->size_after = size_after;
  effect->length = length;
  /* A truncation loses the bytes behind it, a write those that it overwrites. */
  int64_t end = bytes ? offset + length : file->size;
  if (end > file->size) end = file->size;
  effect->old_length = end > offset ? end - offset : 0;
  effect->bytes = malloc((size_t)(length + effect->old_length) + 1);
  if (!effect->bytes) return false;
  if (bytes) memcpy(effect->bytes, bytes, (size_t)length);
  if (effect->old_length) memcpy(effect->bytes + length, file->data + offset, (size_t)effect->old_length);
  file->effect_count++;
  return true;
}

static void put(File *file, int64_t offset, const uint8_t *bytes, int64_t length) {
  if (!reserve(file, offset + length)) return;
  if (offset > file->size) memset(file->data + file->size, 0, (size_t)(offset - file->size));
  memcpy(file->data + offset, bytes, (size_t)length);
  if (offset + length > file->size) file->size = offset + length;
}

/* Undoes all unsynced effects, then repeats those that the seed selects: the writes before some moment, nearly all of
   them, or each with the same probability. The folder of the process has no influence: a seed gives the same run anywhere. */
static void lose_power(File *file, uint64_t seed) {
  for (int i = file->effect_count - 1; i >= 0; i--) {
    Effect *effect = &file->effects[i];
    if (reserve(file, effect->size_before)) file->size = effect->size_before;
    if (effect->old_length) memcpy(file->data + effect->offset, effect->bytes + effect->length, (size_t)effect->old_length);
  }
  if (seed) {
    uint64_t state = seed;
    const char *mark = strstr(file->path, MARK);
    for (const char *p = mark ? mark : ""; *p; p++) state = state * 31 + (uint8_t)*p;
    uint64_t way = next_random(&state) % 4;
    int cut = (int)(next_random(&state) % (uint64_t)(file->effect_count + 1));
    for (int i = 0; i < file->effect_count; i++) {
      Effect *effect = &file->effects[i];
      uint64_t chance = next_random(&state);
      /* A transaction has several writes: losing each at random would hardly ever leave all or none of them. */
      bool is_lost = way >= 2 ? i >= cut : way == 1 ? chance % 32 == 0 : chance % 2 == 0;
      if (is_lost) continue;
      if (effect->length)
        put(file, effect->offset, effect->bytes, effect->length);
      else if (effect->size_after < file->size)
        file->size = effect->size_after;
    }
  }
  forget_effects(file);
}

/* ---- files ---- */

static int file_close(sqlite3_file *base) {
  Handle *handle = (Handle *)base;
  if (handle->delete_on_close && !is_stale(handle)) handle->file->exists = false;
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *buffer, int amount, sqlite3_int64 offset) {
  Handle *handle = (Handle *)base;
  if (is_stale(handle)) return SQLITE_IOERR_READ;
  File *file = handle->file;
  int64_t there = offset < file->size ? file->size - offset : 0;
  if (there > amount) there = amount;
  if (there) memcpy(buffer, file->data + offset, (size_t)there);
  if (there < amount) {
    memset((uint8_t *)buffer + there, 0, (size_t)(amount - there));
    return SQLITE_IOERR_SHORT_READ;
  }
  return SQLITE_OK;
}

static int file_write(sqlite3_file *base, const void *buffer, int amount, sqlite3_int64 offset) {
  Handle *handle = (Handle *)base;
  if (is_stale(handle) || !may_act(handle->file->machine)) return SQLITE_IOERR_WRITE;
  File *file = handle->file;
  int64_t end = offset + amount;
  if (end > file->size && machines[file->machine].full) return SQLITE_FULL;
  if (!note(file, offset, buffer, amount, end > file->size ? end : file->size)) return SQLITE_IOERR_NOMEM;
  put(file, offset, buffer, amount);
  return SQLITE_OK;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  Handle *handle = (Handle *)base;
  if (is_stale(handle) || !may_act(handle->file->machine)) return SQLITE_IOERR_TRUNCATE;
  File *file = handle->file;
  if (size >= file->size) return SQLITE_OK;
  if (!note(file, size, NULL, 0, size)) return SQLITE_IOERR_NOMEM;
  file->size = size;
  return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  Handle *handle = (Handle *)base;
  if (is_stale(handle) || !may_act(handle->file->machine)) return SQLITE_IOERR_FSYNC;
  machines[handle->file->machine].syncs++;
  forget_effects(handle->file);
  return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  Handle *handle = (Handle *)base;
  if (is_stale(handle)) return SQLITE_IOERR_FSTAT;
  *size = handle->file->size;
  return SQLITE_OK;
}

/* One process uses a file, and never opens it twice for writing: locks are always free. */
static int file_lock(sqlite3_file *base, int level) {
  (void)level;
  return is_stale((Handle *)base) ? SQLITE_IOERR_LOCK : SQLITE_OK;
}

static int file_unlock(sqlite3_file *base, int level) {
  (void)base;
  (void)level;
  return SQLITE_OK;
}

static int file_check_lock(sqlite3_file *base, int *result) {
  (void)base;
  *result = 0;
  return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  (void)base;
  (void)operation;
  (void)argument;
  return SQLITE_NOTFOUND;
}

static int file_sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;
}

static int file_characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int file_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
  Handle *handle = (Handle *)base;
  *memory = NULL;
  if (is_stale(handle)) return SQLITE_IOERR_SHMMAP;
  if (region >= REGIONS || size > REGION_SIZE) return SQLITE_IOERR_SHMSIZE;
  File *file = handle->file;
  if (!file->regions[region] && extend) file->regions[region] = calloc(1, REGION_SIZE);
  *memory = file->regions[region];
  return SQLITE_OK;
}

static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  (void)offset;
  (void)count;
  (void)flags;
  return is_stale((Handle *)base) ? SQLITE_IOERR_SHMLOCK : SQLITE_OK;
}

static void file_shm_barrier(sqlite3_file *base) { (void)base; }

static int file_shm_unmap(sqlite3_file *base, int delete_flag) {
  Handle *handle = (Handle *)base;
  if (delete_flag && !is_stale(handle)) drop_regions(handle->file);
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    2,           file_close,      file_read,        file_write,       file_truncate,
    file_sync,   file_size,       file_lock,        file_unlock,      file_check_lock,
    file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
    file_shm_barrier, file_shm_unmap, NULL, NULL};

/* ---- the disk ---- */

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *out_flags) {
  (void)vfs;
  int machine = machine_of(name);
  if (machine < 0) return real_vfs->xOpen(real_vfs, name, base, flags, out_flags);
  Handle *handle = (Handle *)base;
  handle->base.pMethods = NULL;
  if (machines[machine].dead) return SQLITE_CANTOPEN;
  File *file = find(name);
  if (!file) {
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    if (!may_act(machine)) return SQLITE_CANTOPEN;
    file = make(name, machine);
    if (!file) return SQLITE_CANTOPEN;
  }
  handle->base.pMethods = &methods;
  handle->file = file;
  handle->generation = machines[machine].generation;
  handle->delete_on_close = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  int machine = machine_of(name);
  if (machine < 0) return real_vfs->xDelete(real_vfs, name, sync);
  if (!may_act(machine)) return SQLITE_IOERR_DELETE;
  File *file = find(name);
  if (!file) return SQLITE_IOERR_DELETE_NOENT;
  file->exists = false;
  file->size = 0;
  drop_regions(file);
  forget_effects(file);
  return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs;
  int machine = machine_of(name);
  if (machine < 0) return real_vfs->xAccess(real_vfs, name, flags, result);
  if (machines[machine].dead) return SQLITE_IOERR_ACCESS;
  File *file = find(name);
  /* As in the system's file layer, an empty file does not count as existing. */
  *result = file && (flags != SQLITE_ACCESS_EXISTS || file->size > 0);
  return SQLITE_OK;
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int length, char *out) {
  (void)vfs;
  if (machine_of(name) < 0) return real_vfs->xFullPathname(real_vfs, name, length, out);
  if ((int)strlen(name) >= length) return SQLITE_CANTOPEN;
  strcpy(out, name);
  return SQLITE_OK;
}

static int vfs_randomness(sqlite3_vfs *vfs, int length, char *out) {
  (void)vfs;
  for (int i = 0; i < length; i++) out[i] = (char)next_random(&random_state);
  return length;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, double *now) {
  (void)vfs;
  *now = 2461041.5;
  return SQLITE_OK;
}

static int vfs_last_error(sqlite3_vfs *vfs, int length, char *out) {
  (void)vfs;
  (void)length;
  (void)out;
  return 0;
}

void torture_install(void) {
  if (real_vfs) return;
  sqlite3_initialize();
  real_vfs = sqlite3_vfs_find(NULL);
  torture_vfs = *real_vfs;
  torture_vfs.iVersion = 1;
  torture_vfs.zName = "torture";
  torture_vfs.pNext = NULL;
  if (torture_vfs.szOsFile < (int)sizeof(Handle)) torture_vfs.szOsFile = (int)sizeof(Handle);
  torture_vfs.xOpen = vfs_open;
  torture_vfs.xDelete = vfs_delete;
  torture_vfs.xAccess = vfs_access;
  torture_vfs.xFullPathname = vfs_full_path;
  torture_vfs.xRandomness = vfs_randomness;
  torture_vfs.xSleep = vfs_sleep;
  torture_vfs.xCurrentTime = vfs_time;
  torture_vfs.xGetLastError = vfs_last_error;
  sqlite3_vfs_register(&torture_vfs, 1);
}

void torture_reset(uint64_t seed) {
  for (int i = 0; i < FILES; i++) {
    File *file = &files[i];
    forget_effects(file);
    drop_regions(file);
    file->exists = false;
    file->size = 0;
  }
  for (int i = 0; i < MACHINES; i++) {
    /* Handles of an earlier run stay dead. */
    uint32_t generation = machines[i].generation + 1;
    memset(&machines[i], 0, sizeof(Machine));
    machines[i].generation = generation;
    machines[i].kill_at = -1;
  }
  for (int i = 0; i < grave_count; i++) free(graves[i]);
  grave_count = 0;
  random_state = seed;
  sqlite3_randomness(0, NULL);
}

void torture_kill_after(int machine, int64_t count) {
  if (machine < 0 || machine >= MACHINES) return;
  if (count <= 0)
    machines[machine].dead = true;
  else
    machines[machine].kill_at = machines[machine].effects + count;
}

void torture_disarm(int machine) {
  if (machine >= 0 && machine < MACHINES) machines[machine].kill_at = -1;
}

bool torture_is_dead(int machine) { return machine >= 0 && machine < MACHINES && machines[machine].dead; }

void torture_reboot(int machine, bool power_loss, uint64_t seed) {
  if (machine < 0 || machine >= MACHINES) return;
  machines[machine].dead = false;
  machines[machine].kill_at = -1;
  machines[machine].generation++;
  for (int i = 0; i < FILES; i++) {
    File *file = &files[i];
    if (!file->exists || file->machine != machine) continue;
    drop_regions(file);
    if (power_loss) lose_power(file, seed);
  }
}

void torture_set_full(int machine, bool full) {
  if (machine >= 0 && machine < MACHINES) machines[machine].full = full;
}

void torture_remove(const char *path) {
  File *file = find(path);
  if (!file) return;
  file->exists = false;
  file->size = 0;
  drop_regions(file);
  forget_effects(file);
}

int64_t torture_effects(int machine) { return machines[machine & 31].effects; }

int64_t torture_syncs(int machine) { return machines[machine & 31].syncs; }

static File *file_at(int machine, int index) {
  for (int i = 0; i < FILES; i++)
    if (files[i].exists && files[i].machine == machine && index-- == 0) return &files[i];
  return NULL;
}

int torture_file_count(int machine) {
  int count = 0;
  while (file_at(machine, count)) count++;
  return count;
}

const uint8_t *torture_file_bytes(int machine, int index, int64_t *length) {
  File *file = file_at(machine, index);
  *length = file ? file->size : 0;
  return file ? file->data : NULL;
}
