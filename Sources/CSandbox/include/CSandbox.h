#ifndef CSandbox_H
#define CSandbox_H
#endif
