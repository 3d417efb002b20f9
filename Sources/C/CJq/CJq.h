// libjq, and what of it Swift can't call: nothing but its constants.
#ifndef CJQ_H
#define CJQ_H
#include <jq.h>
#include <jv.h>
#endif
