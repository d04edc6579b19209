#ifndef CORDON_CONTACT_KERNEL_H
#define CORDON_CONTACT_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The inner loops of the contact engine. Every routine exists for several instruction sets; the
// operations are the same exactly rounded ones in each, so the results are the same to the bit.

/// Instruction sets, in rising order.
enum cordon_contact_kernel_level {
  CORDON_CONTACT_KERNEL_PLAIN = 0,
  CORDON_CONTACT_KERNEL_AVX2 = 1,
  CORDON_CONTACT_KERNEL_AVX512 = 2,
};

/// The best level that the processor and the build support.
int cordon_contact_kernel_best_level(void);

/// The length of an instant in milliseconds: shorter than any segment.
#define CORDON_CONTACT_INSTANT 0.5

/// Segments of one slab, device by device, each device's in order of time. A segment includes its start and excludes its
/// end. An instant (a lone fix, or the last moment of a stretch of segments) is a rest of CORDON_CONTACT_INSTANT, and counts as its
/// start alone. Arrays are readable for 8 elements beyond the last one.
typedef struct {
  const double *start;  // milliseconds from the start of the slab; whole numbers
  const double *end;    // likewise, but for instants
  const double *x;  // where the segment starts, metres
  const double *y;
  const double *vx;  // metres per millisecond
  const double *vy;
} cordon_contact_segments;

/// Flags of a track.
enum cordon_contact_track_flag {
  CORDON_CONTACT_TRACK_UNKNOWN_FLOOR = 1,
};

/// A stretch of one device's segments on one floor.
typedef struct {
  uint32_t begin;  // index of its first segment
  uint32_t end;    // one past its last segment
  int32_t device;
  uint32_t flags;          // CORDON_CONTACT_TRACK_...
} cordon_contact_track;

/// The straight way from where a track begins in the slab to where it ends, for each box, and the track's maximum
/// distance from it: enough to reject most pairs that walk past each other. Single precision, rounded up.
typedef struct {
  float *x, *y;       // where it would be at the start of the slab, metres
  float *vx, *vy;     // metres per millisecond
  float *from, *to;   // milliseconds from the start of the slab
  float *slack;       // half the distance, how far it strays, and what rounding may take away; metres
} cordon_contact_ways;

/// Boxes of the tracks of one floor, in rising order of `column`; arrays are readable for 16 elements
/// beyond the last one.
typedef struct {
  const float *x0, *x1, *y0, *y1;
  const uint32_t *track;       // index into the table of tracks
  const int32_t *device;       // of the track
  const uint32_t *column_end;  // for each column, one past its last box
  uint32_t count;
  uint32_t columns;
  float scale;  // columns per metre; x is 0 or more
  cordon_contact_ways ways;  // of the tracks; null to ignore the ways
} cordon_contact_boxes;

/// The value that a blocked piece without length adds to `cordon_contact_run.blocked`: more than the nanoseconds of any slab.
#define CORDON_CONTACT_BLOCKED_TOUCH ((int64_t)1 << 52)

/// A maximal run of pieces of contact of two tracks within a slab.
typedef struct {
  int64_t start;    // nanoseconds from the start of the slab
  int64_t end;
  int64_t closest;  // when the two were closest
  double squared;   // and how close
  double x, y;      // half-way between them then
  double dx, dy;    // from the first to the second then
  int64_t blocked;  // nanoseconds with a wall between, and CORDON_CONTACT_BLOCKED_TOUCH for each blocked piece without length;
                    // negative when not asked
  int32_t first, second;
} cordon_contact_run;

/// The width in cells, as a power of two, of a square with a list of near walls.
#define CORDON_CONTACT_LIST_SHIFT 2

/// The number of cell widths, each twice the former.
#define CORDON_CONTACT_CELL_WIDTHS 4

/// A wall: where it begins, its direction, and its length in metres.
typedef struct {
  double x, y, ux, uy, length;
} cordon_contact_wall;

/// The box around a wall: the minimum x and y and the negated maximum ones, metres, so that one comparison separates boxes.
typedef struct {
  double sides[4];
} cordon_contact_wall_box;

/// The walls of a floor, and a raster of the cells with walls.
typedef struct {
  const cordon_contact_wall *walls;
  const cordon_contact_wall_box *boxes;
  uint32_t wall_count;
  // The raster; `starts` is null without one. The cells of its edge, which also represent the area outside, have no walls
  // near them.
  uint32_t columns, rows;
  double left, bottom;  // metres
  double per_metre;     // cells
  // Windows of 8 by 8 cells, a bit each, row by row, the low ones first: set when a wall is in the cell. A window
  // begins at every fourth cell, so that each area of up to five cells' width is within one. The windows for cells twice as
  // wide follow, and so on.
  const uint64_t *windows;
  uint32_t window_columns;                // windows in a row, of every width of cells
  uint32_t window_rows[CORDON_CONTACT_CELL_WIDTHS];  // where those of each width begin
  // Lists of near walls, for squares of 2^CORDON_CONTACT_LIST_SHIFT by as many cells; then the same again with longer lists.
  uint32_t list_columns, list_cells;  // the number of squares in a row and in all
  const int32_t *starts;              // of each square: where its list begins in `near`; one more at the end
  const int32_t *near;                // the walls that come near a square
  double short_way, long_way;         // how far a sight line may go, half before and half after the middle of its way is in
                                      // a square, and be within reach of the lists; metres, squared
} cordon_contact_walls;

/// Finds the ways of tracks, in the order of `boxes->track`, relative to `left` and `bottom`; `margin` is half the distance
/// plus the maximum rounding error.
void cordon_contact_find_ways(int level, const cordon_contact_segments *segments, const cordon_contact_track *tracks,
                       const cordon_contact_boxes *boxes, double left, double bottom, double margin);

/// Lists pairs of boxes that overlap, of different devices, from box `*position` on; stops when fewer
/// than `count` places are left and returns how many it listed. Done when `*position == count`.
/// `only_unknown` keeps pairs of which at least one has no known floor. With ways, pairs are left out whose ways stay
/// apart. Up to 16 elements beyond the listed ones are written to.
size_t cordon_contact_sweep(int level, const cordon_contact_boxes *boxes, const cordon_contact_track *tracks,
                            int only_unknown, uint32_t *position, uint32_t *pair_a, uint32_t *pair_b, size_t capacity);

/// Solves the pairs from `*position` on; stops when the next pair might not fit and returns the number of
/// runs written. Only overlaps that start in the slab (at 0 or later) are solved. `walls` may be null.
size_t cordon_contact_solve(int level, const cordon_contact_segments *segments, const cordon_contact_track *tracks,
                            const uint32_t *pair_a, const uint32_t *pair_b, size_t pair_count, size_t *position,
                            double squared_limit, cordon_contact_run *runs, size_t run_capacity,
                            const cordon_contact_walls *walls);

/// Whether one squared distance is less than another in whole nanometres of distance. Rounding does not decide which of
/// two times at one distance is the nearest: the earlier one is.
static inline int cordon_contact_is_nearer(double squared, double than) {
#pragma STDC FP_CONTRACT OFF
  if (!(squared < than)) return 0;
  // The sum of the distances is at most 1 + than, so that these differ by two nanometres or more: no root is needed.
  if (than - squared > 2e-9 * (1 + than)) return 1;
  return (int64_t)(__builtin_sqrt(squared) * 1e9 + 0.5) < (int64_t)(__builtin_sqrt(than) * 1e9 + 0.5);
}

/// Prefetches the cache line of `address` for writing.
static inline void cordon_contact_prefetch(const void *address) { __builtin_prefetch(address, 1, 1); }

/// Prefetches `count` cache lines from `address` on for reading.
static inline void cordon_contact_prefetch_lines(const void *address, int lines) {
  for (int line = 0; line < lines; line++) __builtin_prefetch((const char *)address + line * 64, 0, 2);
}

/// Prefetches the segments of tracks, up to 16 of each.
static inline void cordon_contact_prefetch_tracks(const cordon_contact_segments *segments, const cordon_contact_track *tracks,
                                           const uint32_t *numbers, size_t count) {
  const double *columns[6] = {segments->start, segments->end, segments->x, segments->y, segments->vx, segments->vy};
  for (size_t k = 0; k < count; k++) {
    const cordon_contact_track *track = tracks + numbers[k];
    int lines = track->end - track->begin > 8 ? 2 : 1;
    for (int column = 0; column < 6; column++) cordon_contact_prefetch_lines(columns[column] + track->begin, lines);
  }
}

/// Zeroed memory whose pages are allocated when first written; null without memory.
static inline void *cordon_contact_zeroed(size_t count, size_t size) { return calloc(count, size); }

/// Frees memory of `cordon_contact_zeroed`.
static inline void cordon_contact_release(void *pointer) { free(pointer); }

/// Keeps at most `bytes` of freed memory in the process instead of returning them to the system, for blocks of up to 64 MiB.
/// A process that works window by window then gets its memory cleared once, not with every window. glibc only; elsewhere nothing
/// changes.
void cordon_contact_keep_freed_memory(size_t bytes);

#endif
