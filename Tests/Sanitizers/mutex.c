// Riff
// SPDX-License-Identifier: Apache-2.0
//
// Tells the thread sanitizer of Swift's Mutex on Linux. Its fast paths are compiled into our code and seen; its slow
// paths, taken when two threads meet, lie in the standard library, which is not instrumented, so that the sanitizer
// misses the order they make and reports every such meeting as a race. Preloaded by scripts/test --sanitize=thread,
// this calls the library's own functions and adds what the sanitizer needs to know. It hides nothing else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_function)(SELF void *);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static lock_function real;
    if (!real) real = (lock_function)dlsym(RTLD_NEXT, LOCK);
    real(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *mutex) {
    static unlock_function real;
    if (!real) real = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}
