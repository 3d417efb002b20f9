// What facefetch calls in libvips, made callable from Swift: libvips' operations
// are variadic (name, value, ..., NULL), so each call that we make has a typed
// `static inline` function here. Every function returns 0, or -1 with the cause
// in vips_error_buffer(), unless it says otherwise.
#ifndef CVIPS_H
#define CVIPS_H
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <vips/vips.h>

#pragma clang assume_nonnull begin

/// The answer of dladdr(3) about an address; its header has that for _GNU_SOURCE only, which Swift doesn't
/// define.
struct CVips_place {
    const char *_Nullable file;
    void *_Nullable base;
    const char *_Nullable symbol;
    void *_Nullable address;
};
extern int CVips_dladdr(const void *address, struct CVips_place *place) __asm__("dladdr");

/// The file that libvips was loaded from; NULL if nobody can tell.
static inline const char *_Nullable CVips_file(void) {
    struct CVips_place place = {0};
    return CVips_dladdr((const void *)vips_init, &place) ? place.file : NULL;
}

/// Opens the header of a picture. The pixels are decoded when asked for.
/// `options` is a libvips option string, such as "[n=1]". NULL on failure.
static inline VipsImage *_Nullable CVips_image_open(VipsSource *source, const char *options) {
    return vips_image_new_from_source(source, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// Frees the pages of a file in memory; see ``CVips_source_of_map``.
static inline int CVips_unmap(void *map, void *_Nullable area) {
    return area == NULL ? 0 : munmap(map, ((VipsArea *)area)->length);
}

/// Takes over pages of a file in memory (mmap(2)). NULL on failure, and then they are gone as well.
static inline VipsSource *_Nullable CVips_source_of_map(void *map, size_t length) {
    VipsBlob *blob = vips_blob_new((VipsCallbackFn)CVips_unmap, map, length);
    VipsSource *source = vips_source_new_from_blob(blob);
    vips_area_unref(VIPS_AREA(blob));
    return source;
}

/// Copies a file in memory. NULL on failure.
static inline VipsSource *_Nullable CVips_source_of_copy(const void *bytes, size_t length) {
    VipsBlob *blob = vips_blob_copy(bytes, length);
    if (blob == NULL) return NULL;
    VipsSource *source = vips_source_new_from_blob(blob);
    vips_area_unref(VIPS_AREA(blob));
    return source;
}

/// Frees memory of g_malloc; see ``CVips_image_of_memory``.
static inline int CVips_free(void *memory, void *_Nullable area) {
    (void)area;
    g_free(memory);
    return 0;
}

/// Takes over pixels of 8 bits a value in memory of g_malloc. NULL on failure, and then they are gone as well.
static inline VipsImage *_Nullable CVips_image_of_memory(void *memory, int width, int height, int bands) {
    size_t length = (size_t)width * (size_t)height * (size_t)bands;
    VipsImage *image =
        vips_image_new_from_memory(memory, length, width, height, bands, VIPS_FORMAT_UCHAR);
    if (image == NULL) {
        g_free(memory);
        return NULL;
    }
    // It lives as long as the last image that is made of this one.
    vips_image_set_blob(image, "facefetch-pixels", (VipsCallbackFn)CVips_free, memory, length);
    return image;
}

/// Decodes a picture into a box of `size` by `size` pixels, never larger than it
/// is, upright by its EXIF orientation, shrinking while decoding. `options` says what
/// fails: with "[fail_on=truncated]" a picture that was cut off does.
static inline int CVips_thumbnail(
    VipsSource *source, VipsImage *_Nullable *_Nonnull out, int size, const char *options) {
    return vips_thumbnail_source(
        source, out, size, "height", size, "size", VIPS_SIZE_DOWN,
        // Its own argument fail_on is ignored for sources: libvips issue 5195.
        "option_string", options, NULL);
}

/// Shrinks a picture into a box of `size` by `size` pixels; it is never enlarged.
static inline int CVips_shrink(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, int size) {
    return vips_thumbnail_image(in, out, size, "height", size, "size", VIPS_SIZE_DOWN, NULL);
}

/// Puts a picture with alpha on a ground of one grey (in the picture's own range).
static inline int CVips_flatten(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, double grey) {
    VipsArrayDouble *ground = vips_array_double_new(&grey, 1);
    int status = vips_flatten(in, out, "background", ground, NULL);
    vips_area_unref(VIPS_AREA(ground));
    return status;
}

/// Converts to another colour space.
static inline int CVips_colourspace(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}

/// Converts to the inks of libvips' own CMYK profile, which goes into the file.
static inline int CVips_print(VipsImage *in, VipsImage *_Nullable *_Nonnull out) {
    return vips_icc_export(in, out, "output_profile", "cmyk", NULL);
}

/// Converts from the profile that is in a picture to sRGB, 8 bits.
static inline int CVips_apply_profile(VipsImage *in, VipsImage *_Nullable *_Nonnull out) {
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "pcs", VIPS_PCS_XYZ, "depth", 8, NULL);
}

/// Converts from sRGB to Display P3, whose profile goes into the file.
static inline int CVips_wide(VipsImage *in, VipsImage *_Nullable *_Nonnull out) {
    return vips_icc_transform(in, out, "p3", "input_profile", "srgb", "depth", 8, NULL);
}

/// Converts each value to another format, cut off at its range.
static inline int CVips_cast(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsBandFormat format) {
    return vips_cast(in, out, format, NULL);
}

/// The places that parts of a picture are decoded to; NULL on failure.
typedef struct CVips_parts CVips_parts;

/// Begins to decode a picture of 8 bits a value part by part.
static inline CVips_parts *_Nullable CVips_region(VipsImage *image) {
    return (CVips_parts *)vips_region_new(image);
}

static inline void CVips_region_end(CVips_parts *parts) { g_object_unref(parts); }

/// Decodes `count` rows from row `first` on, and puts them into `rows` without gaps.
static inline int CVips_region_rows(CVips_parts *parts, int first, int count, uint8_t *rows) {
    VipsRegion *region = (VipsRegion *)parts;
    VipsRect rect = {0, first, region->im->Xsize, count};
    if (vips_region_prepare(region, &rect) != 0) return -1;
    size_t length = VIPS_IMAGE_SIZEOF_LINE(region->im);
    for (int row = 0; row < count; row++)
        memcpy(rows + (size_t)row * length, VIPS_REGION_ADDR(region, 0, first + row), length);
    return 0;
}

/// Keeps the first `count` bands.
static inline int CVips_first_bands(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, int count) {
    return vips_extract_band(in, out, 0, "n", count, NULL);
}

/// Turns a picture upright by its EXIF orientation.
static inline int CVips_autorotate(VipsImage *in, VipsImage *_Nullable *_Nonnull out) {
    return vips_autorot(in, out, NULL);
}

/// Multiplies every value and adds to it.
static inline int CVips_linear(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, double factor, double offset) {
    return vips_linear1(in, out, factor, offset, NULL);
}

/// Copies a picture, with another interpretation of its bands.
static inline int CVips_reinterpret(
    VipsImage *in, VipsImage *_Nullable *_Nonnull out, VipsInterpretation space) {
    return vips_copy(in, out, "interpretation", space, NULL);
}

/// Copies a picture's header, so that its metadata may be changed.
static inline int CVips_copy(VipsImage *in, VipsImage *_Nullable *_Nonnull out) {
    return vips_copy(in, out, NULL);
}

/// Encodes as JPEG. The caller frees `*bytes` with g_free.
static inline int CVips_jpeg(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int quality,
    gboolean progressive) {
    return vips_jpegsave_buffer(
        in, bytes, size, "Q", quality, "interlace", progressive, NULL);
}

/// Encodes as JPEG that begins anew after every so many blocks of its data. The caller frees `*bytes` with g_free.
static inline int CVips_restarting_jpeg(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int blocks) {
    return vips_jpegsave_buffer(in, bytes, size, "restart_interval", blocks, NULL);
}

/// Encodes as JPEG without anything but pixels, which from a quality of 90 on have colours of their own each,
/// unless `halved`. The caller frees `*bytes` with g_free.
static inline int CVips_plain_jpeg(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int quality, gboolean halved) {
    return vips_jpegsave_buffer(
        in, bytes, size, "Q", quality, "strip", TRUE, "subsample_mode",
        halved ? VIPS_FOREIGN_SUBSAMPLE_ON : VIPS_FOREIGN_SUBSAMPLE_AUTO, NULL);
}

/// Encodes as PNG. The caller frees `*bytes` with g_free.
static inline int CVips_png(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int compression,
    gboolean interlaced) {
    return vips_pngsave_buffer(
        in, bytes, size, "compression", compression, "interlace", interlaced, NULL);
}

/// Encodes as PNG without anything but pixels. The caller frees `*bytes` with g_free.
static inline int CVips_plain_png(VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size) {
    // A third of the time that the highest compression takes, for a tenth more bytes.
    return vips_pngsave_buffer(in, bytes, size, "compression", 3, "strip", TRUE, NULL);
}

/// Encodes as WebP. The caller frees `*bytes` with g_free.
static inline int CVips_webp(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int quality,
    gboolean lossless) {
    return vips_webpsave_buffer(in, bytes, size, "Q", quality, "lossless", lossless, NULL);
}

/// Encodes as GIF; several pages (see page-height) become an animation.
static inline int CVips_gif(VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size) {
    return vips_gifsave_buffer(in, bytes, size, NULL);
}

/// Encodes as TIFF with deflate; several pages (see page-height) become directories.
static inline int CVips_tiff(VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size) {
    return vips_tiffsave_buffer(
        in, bytes, size, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, NULL);
}

/// Encodes as HEIC (HEVC) or AVIF (AV1), where libheif has an encoder for it.
static inline int CVips_heif(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int quality,
    VipsForeignHeifCompression compression) {
    return vips_heifsave_buffer(
        in, bytes, size, "Q", quality, "compression", compression, "effort", 0, NULL);
}

/// Encodes as JPEG XL, where libvips has an encoder for it.
static inline int CVips_jxl(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, gboolean lossless) {
    return vips_jxlsave_buffer(in, bytes, size, "lossless", lossless, "effort", 3, NULL);
}

/// Encodes as JPEG 2000 in tiles of `side` pixels, where libvips has an encoder for it.
static inline int CVips_jp2(
    VipsImage *in, void *_Nullable *_Nonnull bytes, size_t *size, int side, gboolean lossless) {
    return vips_jp2ksave_buffer(
        in, bytes, size, "tile-width", side, "tile-height", side, "lossless", lossless, NULL);
}

#pragma clang assume_nonnull end
#endif
