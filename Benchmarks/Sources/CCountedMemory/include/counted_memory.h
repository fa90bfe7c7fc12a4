// Riff
// SPDX-License-Identifier: Apache-2.0

#ifndef RIFF_COUNTED_MEMORY_H
#define RIFF_COUNTED_MEMORY_H

#include <stdbool.h>

/// Begins to count, or ends to. While it counts, allocating takes longer.
void count_memory(bool on);

/// How often memory was allocated while it was counted; -1 where that is not counted.
long counted_allocations(void);

/// How many bytes more are allocated than were when counting began; -1 where that is not counted.
long counted_bytes(void);

#endif
