#ifndef C_CLEAN_PAGES_H
#define C_CLEAN_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/// A file layer of SQLite that writes no garbage into database files.
///
/// When SQLite rearranges a page it leaves copies of rows in the page's free space, where they outlive the rows
/// themselves, even with secure_delete. This layer passes every call on to another one, and zeroes the free space of each
/// page of a table or index before it is written into the database file. The log is written unchanged: its frames carry
/// checksums, and it is emptied when rows are deleted.
///
/// Files must have fewer than 2^24 pages and no auto_vacuum, so that no page of another kind is mistaken for one.
///
/// - Parameter base: the name of the layer below; NULL for SQLite's own choice.
/// - Returns: the name of the layer, which is registered at the first call; NULL when there is no such layer below, or no memory.
const char *cordon_clean_pages_layer(const char *base);

/// Zeroes the free space of a page, if it is a whole and sound page of a table or index.
///
/// - Parameters:
///   - page: its bytes.
///   - size: their number.
///   - is_first: whether it is the first page of the file, which begins with the file's header.
/// - Returns: whether it was such a page.
bool cordon_clean_page(unsigned char *page, size_t size, bool is_first);

#endif
