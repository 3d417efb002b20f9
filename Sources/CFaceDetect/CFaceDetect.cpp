#include "CFaceDetect.h"
