#ifndef CFACEDETECT_H
#define CFACEDETECT_H
#endif
