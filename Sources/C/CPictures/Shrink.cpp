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
        // Means of whole squares are fast; others take as long as a tenth of a look. What is left to shrink, by
        // less than half, leaves no pixel out.
        int factor = std::max(1, std::min(whole.cols / width, whole.rows / height));
        cv::Mat between = whole;
        if (factor > 1) {
            // What the squares don't fill at the right and below is less than one of them.
            cv::Rect full(0, 0, whole.cols / factor * factor, whole.rows / factor * factor);
            cv::Size size(full.width / factor, full.height / factor);
            cv::resize(whole(full), between, size, 0, 0, cv::INTER_AREA);
        }
        cv::resize(between, small, small.size(), 0, 0, cv::INTER_LINEAR);
        CV_Assert(small.data == pixels);
        return 0;
    });
}
