#ifndef CORDON_TORTURE_VFS_H
#define CORDON_TORTURE_VFS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Disks in memory for SQLite, controlled by the test. A path of the form ".../torture-disk/N/NAME" is a file of machine N (0 to
 * 31); every other path leads to the file system. Paths have less than 200 bytes.
 *
 * A kill keeps the bytes that were written; a power loss also undoes writes that were not synced. Events of a machine
 * take effect at the next write, truncation, sync or deletion, so a process can die between any two of them.
 * Not safe for threads: one run at a time.
 */

/* Makes these disks the default of SQLite. May be called again. */
void torture_install(void);

/* Deletes all files and machines, and restarts SQLite's random numbers. */
void torture_reset(uint64_t seed);

/* The machine dies at the count-th effect from now (1: at the next); 0 at once. */
void torture_kill_after(int machine, int64_t count);
/* Cancels a planned death. */
void torture_disarm(int machine);
/* Whether the machine is dead: every call of its files fails. */
bool torture_is_dead(int machine);
/* Restarts a dead machine: files that were open before stay dead. With power_loss the unsynced writes are undone: all of
 * them, or for a seed other than 0 those that it picks: what came after some moment of each file, now and then one, or
 * half of them. Nothing of a path before "/torture-disk/" is part of the choice. */
void torture_reboot(int machine, bool power_loss, uint64_t seed);
/* While full, no file can grow. */
void torture_set_full(int machine, bool full);

/* Deletes a file with its additional files, as an administrator does; nothing if there is none. */
void torture_remove(const char *path);

/* Effects of a machine so far. */
int64_t torture_effects(int machine);
/* Syncs of a machine so far. */
int64_t torture_syncs(int machine);

/* Files of a machine: their number, and the bytes of each. */
int torture_file_count(int machine);
const uint8_t *torture_file_bytes(int machine, int index, int64_t *length);

#endif
