// Faces in pixels, by OpenCV, behind plain C: no exception and no C++ type
// crosses this header. Nothing here is safe to use from two threads at once.
#ifndef CFACEDETECT_H
#define CFACEDETECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma clang assume_nonnull begin

/// Pixels of 8 bits a value, row after row without gaps, 1 (grey) or 3 (RGB) values a pixel.
typedef struct CFaceDetectPicture {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    int32_t bands;
} CFaceDetectPicture;

/// A place in the picture that was given, in pixels.
typedef struct CFaceDetectPoint {
    double x;
    double y;
} CFaceDetectPoint;

/// The number of known places of a face.
enum { CFACEDETECT_LANDMARKS = 5 };

/// A face, in pixels of the picture that was given.
typedef struct CFaceDetectBox {
    double x;
    double y;
    double width;
    double height;
    /// Haar: the greatest sum of the last stage among the windows of this face.
    /// YuNet: the root of class times objectness, 0 to 1.
    double confidence;
    /// True if `landmarks` are known: not with Haar.
    int32_t has_landmarks;
    /// The number of windows of a cascade that agree on it; 0 with YuNet.
    int32_t windows;
    /// Haar: the mean of those sums, rounded to a millionth; 0 with YuNet.
    double mean;
    /// The right eye, the left eye, the nose, and the right and left corner of the
    /// mouth, as the person has them.
    CFaceDetectPoint landmarks[CFACEDETECT_LANDMARKS];
} CFaceDetectBox;

/// Settings for running a cascade; see cv::CascadeClassifier::detectMultiScale.
typedef struct CFaceDetectHaarSettings {
    /// The step from one window size to the next, above 1.
    double scale_factor;
    /// A face needs more overlapping windows than this.
    int32_t neighbours;
    /// The smallest face looked for, in pixels of the picture given.
    int32_t minimum_face;
    /// Last-stage sums below this are no face.
    double minimum_confidence;
    /// A picture is enlarged until its longer side has this many pixels, but at most to twice its
    /// size; 0 to leave it as it is.
    int32_t enlarge_to;
    /// True if cv::CascadeClassifier runs the cascade even where the shim can run it faster; for comparing
    /// the two.
    bool leaves_it_to_opencv;
} CFaceDetectHaarSettings;

/// Settings for running a YuNet network.
typedef struct CFaceDetectYuNetSettings {
    /// Faces below this confidence are dropped, 0 to 1.
    double minimum_confidence;
    /// Of two faces that overlap more than this (intersection over union), one is dropped.
    double maximum_overlap;
    /// The long side of the second pass, for faces that fill the picture; 0 for none.
    int32_t second_pass;
} CFaceDetectYuNetSettings;

typedef struct CFaceDetectHaar CFaceDetectHaar;
typedef struct CFaceDetectYuNet CFaceDetectYuNet;

/// Keeps OpenCV on the calling thread: processes are the parallelism.
///
/// Only the first call of a process does something. With TBB, cv::setNumThreads frees what other threads
/// look up meanwhile to cut a layer into stripes, and now and then they compute another.
void CFaceDetect_use_one_thread(void);

/// Loads a cascade; NULL with the cause in `message`.
CFaceDetectHaar *_Nullable CFaceDetect_haar_open(
    const char *path, char *message, size_t message_size);
void CFaceDetect_haar_close(CFaceDetectHaar *haar);

/// Finds faces; the number put into `boxes`, at most `capacity`, or -1 with the cause in `message`.
ptrdiff_t CFaceDetect_haar_find(
    CFaceDetectHaar *haar, const CFaceDetectPicture *picture,
    const CFaceDetectHaarSettings *settings, CFaceDetectBox *boxes, size_t capacity,
    char *message, size_t message_size);

/// Loads a YuNet network from the bytes of its ONNX file; NULL with the cause in `message`.
CFaceDetectYuNet *_Nullable CFaceDetect_yunet_open(
    const uint8_t *model, size_t size, char *message, size_t message_size);
void CFaceDetect_yunet_close(CFaceDetectYuNet *yunet);

/// The longest side of what a YuNet network looks at in one piece, in pixels: what a look takes of
/// memory follows from that, not from the picture.
int32_t CFaceDetect_yunet_longest_input(void);

/// Finds faces, in tiles where the picture is larger than that; else as CFaceDetect_haar_find.
ptrdiff_t CFaceDetect_yunet_find(
    CFaceDetectYuNet *yunet, const CFaceDetectPicture *picture,
    const CFaceDetectYuNetSettings *settings, CFaceDetectBox *boxes, size_t capacity,
    char *message, size_t message_size);

/// Shrinks a picture into `pixels`, which has room for `width` by `height` of them: each is about the
/// mean of those in its place. 0, or -1 with the cause in `message`.
int32_t CFaceDetect_shrink(
    const CFaceDetectPicture *picture, uint8_t *pixels, int32_t width, int32_t height,
    char *message, size_t message_size);

/// As CFaceDetect_shrink, for people: each pixel is exactly the mean of what lies in its place, and parts of pixels
/// count by their size. It uses nothing of OpenCV.
int32_t CFaceDetect_average(
    const CFaceDetectPicture *picture, uint8_t *pixels, int32_t width, int32_t height,
    char *message, size_t message_size);

#pragma clang assume_nonnull end
#ifdef __cplusplus
}
#endif
#endif
