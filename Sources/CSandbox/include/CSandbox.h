// What a detector does to itself before it looks at bytes from strangers.
// Every function returns 0, or -1 with errno set, unless it says otherwise.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Lets everything else on the machine go first: nice 10, batch scheduling, idle disk priority.
int CSandbox_lower_priority(void);

/// Ends this process with SIGKILL when the thread that started it ends; fails
/// with ESRCH when that has happened already. `parent` is who should be there.
int CSandbox_die_with(int32_t parent);

#pragma clang assume_nonnull end
#endif
