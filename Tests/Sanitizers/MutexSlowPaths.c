// Tells the thread sanitizer what Swift's Mutex does where two threads meet.
//
// Locking and unlocking a free Mutex is inlined into our code, where the sanitizer sees it. Waiting
// for one, and waking who waits, happens in libswiftSynchronization, which is built without the
// sanitizer: what was written under the lock would then look as if nothing had come between. Loaded
// before that library (LD_PRELOAD), these take the place of its two functions, and call them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

// <sanitizer/tsan_interface.h>; absent in programs that were built without it, which this is
// loaded into as well.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Swift's own calling convention, and the names by which its library exports them.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void unlockSlow(SELF void *mutex) __asm__(UNLOCK_SLOW);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
    SWIFT void (*lock)(uint32_t, SELF void *) = next(LOCK_SLOW);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlockSlow(SELF void *mutex) {
    SWIFT void (*unlock)(SELF void *) = next(UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}
