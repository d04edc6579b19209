#ifndef CONTACT_KERNEL_H
#define CONTACT_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The inner loops of the contact engine. Every routine exists for several instruction sets; the
// operations are the same exactly rounded ones in each, so the results are the same to the bit.

/// Instruction sets, in rising order.
enum contact_kernel_level {
  CONTACT_KERNEL_PLAIN = 0,
  CONTACT_KERNEL_AVX2 = 1,
  CONTACT_KERNEL_AVX512 = 2,
};

/// The best level that this processor and this build have.
int contact_kernel_best_level(void);

/// Segments of one slab, device by device, each device's in order of time. Arrays are readable for 8
/// elements beyond the last one.
typedef struct {
  const double *start;  // milliseconds from the start of the slab; whole numbers
  const double *end;
  const double *x;  // where the segment starts, metres
  const double *y;
  const double *vx;  // metres per millisecond
  const double *vy;
} contact_segments;

/// What is said of a track.
enum contact_track_flag {
  CONTACT_TRACK_UNKNOWN_FLOOR = 1,
};

/// A stretch of one device's segments on one floor.
typedef struct {
  uint32_t begin;  // index of its first segment
  uint32_t end;    // one past its last segment
  int32_t device;
  uint32_t flags;          // CONTACT_TRACK_...
} contact_track;

/// Boxes of the tracks of one floor, in rising order of `column`; arrays are readable for 16 elements
/// beyond the last one.
typedef struct {
  const float *x0, *x1, *y0, *y1;
  const uint32_t *track;       // index into the table of tracks
  const uint32_t *column_end;  // for each column, one past its last box
  uint32_t count;
  uint32_t columns;
  float scale;  // columns per metre; x is 0 or more
} contact_boxes;

/// A maximal run of pieces of contact of two tracks within a slab.
typedef struct {
  int64_t start;    // nanoseconds from the start of the slab
  int64_t end;
  int64_t closest;  // when the two were closest
  double squared;   // and how close
  double x, y;      // half-way between them then
  double dx, dy;    // from the first to the second then
  int32_t first, second;
} contact_run;

/// A piece of contact: how the two move while they are within the distance.
typedef struct {
  uint32_t run;             // index of the run it belongs to
  double length;            // milliseconds
  double ax, ay, avx, avy;  // one of them at the beginning, and its speed in metres per millisecond
  double bx, by, bvx, bvy;  // the other
} contact_piece;

/// How far the nearest wall is, in cells of a raster; pieces that stay clear of all walls are not written.
typedef struct {
  double left, bottom;  // metres
  double per_metre;     // cells
  uint32_t columns, rows;
  const uint8_t *decimetres;  // row by row; errs on the small side
  double margin;              // metres that the nearest wall is away from outside of the raster
  double half_distance;       // half the contact distance
} contact_clearance;

/// Lists pairs of boxes that overlap, of different devices, from box `*position` on; stops when fewer
/// than `count` places are left and returns how many it listed. Done when `*position == count`.
/// `only_unknown` keeps pairs of which at least one has no known floor.
size_t contact_sweep(int level, const contact_boxes *boxes, const contact_track *tracks, int only_unknown,
                     uint32_t *position, uint32_t *pair_a, uint32_t *pair_b, size_t capacity);

/// Solves the pairs from `*position` on; stops when the next pair might not fit and returns the number of
/// runs written. Pieces are written when `pieces` is not null, all of them or those that `clearance` does not dismiss;
/// `*piece_count` gets their number. Only overlaps that start in the slab (at 0 or later) are solved.
size_t contact_solve(int level, const contact_segments *segments, const contact_track *tracks,
                     const uint32_t *pair_a, const uint32_t *pair_b, size_t pair_count, size_t *position,
                     double squared_limit, contact_run *runs, size_t run_capacity, contact_piece *pieces,
                     size_t piece_capacity, size_t *piece_count, const contact_clearance *clearance);

/// Asks for the cache line of `address`.
static inline void contact_prefetch(const void * address) { __builtin_prefetch(address, 1, 1); }

/// Zeroed memory whose pages are taken from the system when they are first written; null when there is none.
static inline void *contact_zeroed(size_t count, size_t size) { return calloc(count, size); }

/// Gives memory of `contact_zeroed` back.
static inline void contact_release(void *pointer) { free(pointer); }

#endif
