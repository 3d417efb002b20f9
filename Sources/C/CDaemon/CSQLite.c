#include "CSQLite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

void CSQLite_disable_memory_statistics(void) {
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int CSQLite_lock_index(int descriptor, int type) {
    struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = 128, .l_len = 1};
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}
