// What facefetch calls in libtiff, made callable from Swift: it reads kinds of TIFF that libvips doesn't.
#ifndef CTIFF_H
#define CTIFF_H
#include <stdint.h>
#include <string.h>
#include <tiffio.h>

#pragma clang assume_nonnull begin

/// A file in memory that is read.
typedef struct CTiff_bytes {
    const uint8_t *bytes;
    uint64_t length;
    uint64_t place;
} CTiff_bytes;

static inline tmsize_t CTiff_read(thandle_t handle, void *to, tmsize_t count) {
    CTiff_bytes *file = (CTiff_bytes *)handle;
    if (count <= 0 || file->place >= file->length) return 0;
    uint64_t left = file->length - file->place;
    if ((uint64_t)count > left) count = (tmsize_t)left;
    memcpy(to, file->bytes + file->place, (size_t)count);
    file->place += (uint64_t)count;
    return count;
}

static inline tmsize_t CTiff_write(thandle_t handle, void *from, tmsize_t count) {
    (void)handle, (void)from, (void)count;
    return -1;
}

static inline toff_t CTiff_seek(thandle_t handle, toff_t offset, int whence) {
    CTiff_bytes *file = (CTiff_bytes *)handle;
    file->place = whence == 1 ? file->place + offset : whence == 2 ? file->length + offset : offset;
    return file->place;
}

static inline int CTiff_close(thandle_t handle) {
    (void)handle;
    return 0;
}

static inline toff_t CTiff_size(thandle_t handle) { return ((CTiff_bytes *)handle)->length; }

/// Begins to read a file in memory, which has to outlive what is returned; NULL if it makes no sense.
static inline TIFF *_Nullable CTiff_open(CTiff_bytes *file) {
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
    // Lower-case m: nothing is mapped.
    return TIFFClientOpen(
        "picture", "rm", (thandle_t)file, CTiff_read, CTiff_write, CTiff_seek, CTiff_close, CTiff_size, NULL,
        NULL);
}

/// Goes to a page, and with `sub` at least 0 to one that it refers to. Returns whether there is one.
static inline int CTiff_choose(TIFF *file, int page, int sub) {
    if (TIFFSetDirectory(file, (tdir_t)page) != 1) return 0;
    if (sub < 0) return 1;
    uint16_t count = 0;
    uint64_t *offsets = NULL;
    if (TIFFGetField(file, TIFFTAG_SUBIFD, &count, &offsets) != 1 || sub >= count) return 0;
    return TIFFSetSubDirectory(file, offsets[sub]) == 1;
}

/// A whole number that a tag of four bytes, or of two if `is_short` is set, has; `otherwise` if there is none.
static inline uint32_t CTiff_number(TIFF *file, uint32_t tag, int is_short, uint32_t otherwise) {
    uint32_t number = 0;
    uint16_t half = 0;
    if (TIFFGetField(file, tag, is_short ? (void *)&half : (void *)&number) != 1) return otherwise;
    return is_short ? half : number;
}

/// Decodes the page as it lies in the file, into numbers whose bytes are red, green, blue and alpha; stops at
/// the first error, if `stops` is set. Returns whether it could be decoded.
static inline int CTiff_decode(TIFF *file, uint32_t width, uint32_t height, uint32_t *pixels, int stops) {
    TIFFRGBAImage image;
    char message[1024] = "";
    if (TIFFRGBAImageBegin(&image, file, stops, message) != 1) return 0;
    // Rows from top to bottom, columns from left to right, whatever the file says of its orientation.
    image.req_orientation = image.orientation;
    int done = TIFFRGBAImageGet(&image, pixels, width, height);
    TIFFRGBAImageEnd(&image);
    return done;
}

#pragma clang assume_nonnull end
#endif
