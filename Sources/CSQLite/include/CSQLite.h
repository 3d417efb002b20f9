// What Swift can't call of SQLite: functions with variable arguments, and a lock that SQLite looks for.

#ifndef CSQLITE_H
#define CSQLITE_H

/// Turns SQLite's statistics of its memory off (SQLITE_CONFIG_MEMSTATUS), of which nobody asks:
/// counting locks a mutex with every allocation, of all connections together.
///
/// Only before the process opens its first database; later it is refused, and does no harm.
void CSQLite_disable_memory_statistics(void);

/// Sets the lock by which SQLite knows that somebody uses a write-ahead log's index (UNIX_SHM_DMS, the
/// byte 128 of the `-shm` file): F_WRLCK, F_RDLCK or F_UNLCK.
///
/// It is the descriptor's own (F_OFD_SETLK): SQLite, in the same process too, takes it for another's.
/// Returns 0, or −1 with errno set.
int CSQLite_lock_index(int descriptor, int type);

#endif
