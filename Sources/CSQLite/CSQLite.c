#include "CSQLite.h"

#include <sqlite3.h>

void CSQLite_disable_memory_statistics(void) {
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
