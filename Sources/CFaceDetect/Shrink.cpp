// Smaller versions of a picture whose pixels are in memory already.
#include <opencv2/imgproc.hpp>

#include "Boundary.hpp"

int32_t CFaceDetect_shrink(
    const CFaceDetectPicture *picture, uint8_t *pixels, int32_t width, int32_t height,
    char *message, size_t message_size) {
    return facedetect::guarded<int32_t>(-1, message, message_size, [&]() -> int32_t {
        cv::Mat whole = facedetect::view(*picture);
        CV_Assert(width > 0 && height > 0 && width <= whole.cols && height <= whole.rows);
        cv::Mat small(height, width, whole.type(), pixels);
        cv::resize(whole, small, small.size(), 0, 0, cv::INTER_AREA);
        CV_Assert(small.data == pixels);
        return 0;
    });
}
