// What Swift can't call of SQLite: functions with variable arguments.

#ifndef CSQLITE_H
#define CSQLITE_H

/// Turns SQLite's statistics of its memory off (SQLITE_CONFIG_MEMSTATUS), of which nobody asks:
/// counting locks a mutex with every allocation, of all connections together.
///
/// Only before the process opens its first database; later it is refused, and does no harm.
void CSQLite_disable_memory_statistics(void);

#endif
