// What decodes pictures and looks at them: libvips, LibRaw and libtiff, and OpenCV behind CFaceDetect.h.
#ifndef CPICTURES_H
#define CPICTURES_H
#include "CFaceDetect.h"
#include "CRaw.h"
#include "CTiff.h"
#include "CVips.h"
#endif
