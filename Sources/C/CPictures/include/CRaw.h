// What facefetch calls in LibRaw, made callable from Swift: the largest picture
// that a camera has put beside its raw data. Those data are never decoded.
#ifndef CRAW_H
#define CRAW_H
#include <libraw/libraw.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The kind of picture that a preview is.
typedef enum CRaw_kind {
    /// None that is known here.
    CRaw_other,
    /// A JPEG file.
    CRaw_jpeg,
    /// Red, green and blue, 8 bits each, row by row.
    CRaw_rgb,
} CRaw_kind;

/// The picture beside the raw data; its bytes are the file's, and live as long as that.
typedef struct CRaw_preview {
    CRaw_kind kind;
    const uint8_t *_Nullable bytes;
    size_t length;
    int32_t width;
    int32_t height;
    /// The way the camera was held: 0 upright, 3 upside down, 5 and 6 turned by 90 degrees counterclockwise
    /// and clockwise.
    int32_t flip;
    /// True if the sensor is wider than high.
    int32_t is_sensor_wide;
} CRaw_preview;

/// Begins to read files; NULL if there is no memory. Nothing is written to standard error.
static inline libraw_data_t *_Nullable CRaw_begin(void) {
#if LIBRAW_MAJOR_VERSION > 0 || LIBRAW_MINOR_VERSION >= 21
    // From 0.21 on nothing is called for a lack of memory.
    return libraw_init(LIBRAW_OPTIONS_NO_DATAERR_CALLBACK);
#else
    return libraw_init(LIBRAW_OPIONS_NO_MEMERR_CALLBACK | LIBRAW_OPIONS_NO_DATAERR_CALLBACK);
#endif
}

/// Reads what a file in memory consists of; returns 0, or an error of LibRaw's. `bytes` must outlive `file`.
static inline int CRaw_open(libraw_data_t *file, const void *bytes, size_t length) {
    return libraw_open_buffer(file, (void *)bytes, length);
}

/// Returns whether an error means that LibRaw doesn't know this kind of file.
static inline int CRaw_is_unknown(int error) { return error == LIBRAW_FILE_UNSUPPORTED; }

/// Returns whether an error means that there is no preview.
static inline int CRaw_is_without_preview(int error) {
    return error == LIBRAW_NO_THUMBNAIL || error == LIBRAW_UNSUPPORTED_THUMBNAIL;
}

/// Gets the preview out of a file; returns 0, or an error of LibRaw's.
static inline int CRaw_unpack(libraw_data_t *file, CRaw_preview *preview) {
    int error = libraw_unpack_thumb(file);
    if (error != 0) return error;
    const libraw_thumbnail_t *found = &file->thumbnail;
    preview->kind = found->tformat == LIBRAW_THUMBNAIL_JPEG ? CRaw_jpeg
        : found->tformat == LIBRAW_THUMBNAIL_BITMAP && found->tcolors == 3 ? CRaw_rgb
                                                                          : CRaw_other;
    preview->bytes = (const uint8_t *)found->thumb;
    preview->length = found->tlength;
    preview->width = found->twidth;
    preview->height = found->theight;
    preview->flip = file->sizes.flip;
    preview->is_sensor_wide = file->sizes.width >= file->sizes.height;
    return 0;
}

/// Frees everything.
static inline void CRaw_end(libraw_data_t *file) { libraw_close(file); }

#pragma clang assume_nonnull end
#endif
