// zlib, and a function for its macro inflateInit2.
#ifndef CZLIB_H
#define CZLIB_H
#include <zlib.h>

/// Begins to inflate gzip, and nothing else.
static inline int CZlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
#endif
