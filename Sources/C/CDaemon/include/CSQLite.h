// Parts of SQLite that Swift can't call: functions with variable arguments, and a lock that
// SQLite looks for.

#ifndef CSQLITE_H
#define CSQLITE_H

/// Turns off SQLite's memory statistics (SQLITE_CONFIG_MEMSTATUS), which nobody uses: counting
/// locks a mutex with every allocation of all connections together.
///
/// Call it before the process opens its first database; later it is refused, and does no harm.
void CSQLite_disable_memory_statistics(void);

/// Sets the lock by which SQLite knows that somebody is using a write-ahead log's index
/// (UNIX_SHM_DMS, byte 128 of the `-shm` file): F_WRLCK, F_RDLCK or F_UNLCK.
///
/// The lock belongs to the descriptor (F_OFD_SETLK), so SQLite takes it for another process's
/// even in the same one. Returns 0, or −1 with errno set.
int CSQLite_lock_index(int descriptor, int type);

#endif
