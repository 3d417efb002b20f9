// What the daemon alone calls: libsystemd, and the parts of SQLite that Swift can't.
#ifndef CDAEMON_H
#define CDAEMON_H
#include "CSQLite.h"
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#endif
