#ifndef CCSV_H
#define CCSV_H
#include <csv.h>
#endif
