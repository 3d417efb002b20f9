// What keeps C++ on its side of the C header.
#ifndef CFACEDETECT_BOUNDARY_HPP
#define CFACEDETECT_BOUNDARY_HPP

#include <cstdio>
#include <exception>
#include <memory>
#include <opencv2/core.hpp>

#include "CFaceDetect.h"

namespace facedetect {

/// Runs `body`; whatever it throws becomes `failed` and a message.
template <typename Result, typename Body>
Result guarded(Result failed, char *message, size_t message_size, Body body) noexcept {
    try {
        return body();
    } catch (const cv::Exception &error) {
        // what() repeats file and line of OpenCV; err is the cause alone.
        std::snprintf(message, message_size, "OpenCV: %s", error.err.c_str());
    } catch (const std::exception &error) {
        std::snprintf(message, message_size, "%s", error.what());
    } catch (...) {
        std::snprintf(message, message_size, "an exception of unknown type");
    }
    return failed;
}

/// The picture as OpenCV sees it, without a copy; throws on nonsense.
inline cv::Mat view(const CFaceDetectPicture &picture) {
    CV_Assert(picture.pixels != nullptr && picture.width > 0 && picture.height > 0);
    CV_Assert(picture.bands == 1 || picture.bands == 3);
    // OpenCV has no read-only view; nothing here writes through it.
    return cv::Mat(picture.height, picture.width, CV_8UC(picture.bands),
                   const_cast<uint8_t *>(picture.pixels));
}

}  // namespace facedetect
#endif
