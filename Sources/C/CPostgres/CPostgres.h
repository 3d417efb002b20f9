// libpq, PostgreSQL's client library.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H
#include <libpq-fe.h>
#endif
