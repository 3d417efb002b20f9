// zlib, and functions for its macro inflateInit2.
#ifndef CZLIB_H
#define CZLIB_H
#include <zlib.h>

/// Begins to inflate gzip, and nothing else.
static inline int CZlib_begin_gunzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

/// Begins to inflate deflate in zlib's wrapping.
static inline int CZlib_begin_zlib(z_stream *stream) { return inflateInit2(stream, MAX_WBITS); }

/// Begins to inflate bare deflate.
static inline int CZlib_begin_inflate(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

/// Begins to inflate another member of gzip in a stream that was begun.
static inline int CZlib_begin_member(z_stream *stream) { return inflateReset2(stream, 16 + MAX_WBITS); }
#endif
