// Riff
// SPDX-License-Identifier: Apache-2.0

#include "counted_memory.h"

#if defined(__GLIBC__) || (defined(__linux__) && !defined(__ANDROID__) && __has_include(<gnu/libc-version.h>))

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// A program's own malloc stands in for the library's everywhere in the process; glibc documents these names for that
// (GNU C Library manual, 3.2.5, Replacing malloc), and keeps its own under others.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_bool counting;
static atomic_long allocations;
static atomic_long bytes;

static void *counted(void *block) {
    if (block && atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, (long)malloc_usable_size(block), memory_order_relaxed);
    }
    return block;
}

static void uncount(void *block) {
    if (block && atomic_load_explicit(&counting, memory_order_relaxed))
        atomic_fetch_sub_explicit(&bytes, (long)malloc_usable_size(block), memory_order_relaxed);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = counted(__libc_memalign(alignment, size));
    return *block ? 0 : ENOMEM;
}

void *realloc(void *block, size_t size) {
    uncount(block);
    return counted(__libc_realloc(block, size));
}

void free(void *block) {
    uncount(block);
    __libc_free(block);
}

void count_memory(bool on) { atomic_store(&counting, on); }
long counted_allocations(void) { return atomic_load(&allocations); }
long counted_bytes(void) { return atomic_load(&bytes); }

#else

void count_memory(bool on) { (void)on; }
long counted_allocations(void) { return -1; }
long counted_bytes(void) { return -1; }

#endif
