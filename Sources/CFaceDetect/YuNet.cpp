// YuNet: W. Wu, H. Peng and S. Yu, "YuNet: A Tiny Millisecond-level Face
// Detector", Machine Intelligence Research 20 (2023), by cv::dnn.
//
// The outputs are decoded as in OpenCV 4.8's modules/objdetect/src/face_detect.cpp
// (FaceDetectorYNImpl::postProcess), which Debian 12's OpenCV 4.6 doesn't have yet:
// for the cell in row r and column c of the grid of stride s (8, 16 and 32)
//     confidence = sqrt(cls * obj), both cut to 0...1
//     centre     = ((c + bbox[0]) * s, (r + bbox[1]) * s)
//     size       = (exp(bbox[2]) * s, exp(bbox[3]) * s)
#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "Boundary.hpp"

struct CFaceDetectYuNet {
    cv::dnn::Net network;
};

namespace {

/// The model's input is fixed at 640 by 640 when it is exported.
constexpr int side = 640;
constexpr std::array<int, 3> strides = {8, 16, 32};
/// At most this many candidates go into the comparison of pairs (OpenCV's top_k).
constexpr size_t most_candidates = 5000;

/// Faces of one look, in pixels of `picture`, which is put top left on a black square.
void look(
    cv::dnn::Net &network, const cv::Mat &picture, double scale,
    const CFaceDetectYuNetSettings &settings, std::vector<CFaceDetectBox> &found) {
    cv::Mat square = cv::Mat::zeros(side, side, CV_8UC3);
    picture.copyTo(square(cv::Rect(0, 0, picture.cols, picture.rows)));
    // The network is trained on blue, green, red, 0 to 255.
    network.setInput(cv::dnn::blobFromImage(square, 1.0, cv::Size(), cv::Scalar(), true));
    static const std::vector<cv::String> names = {
        "cls_8", "cls_16", "cls_32", "obj_8", "obj_16", "obj_32", "bbox_8", "bbox_16", "bbox_32"};
    std::vector<cv::Mat> outputs;
    network.forward(outputs, names);
    CV_Assert(outputs.size() == names.size());

    for (size_t level = 0; level < strides.size(); level++) {
        int stride = strides[level], cells = side / stride;
        size_t count = static_cast<size_t>(cells) * static_cast<size_t>(cells);
        const cv::Mat &classes = outputs[level], &objects = outputs[level + 3], &places = outputs[level + 6];
        CV_Assert(classes.total() == count && objects.total() == count && places.total() == count * 4);
        const float *cls = classes.ptr<float>(), *obj = objects.ptr<float>(), *bbox = places.ptr<float>();
        for (size_t i = 0; i < count; i++) {
            double product = std::clamp<double>(cls[i], 0, 1) * std::clamp<double>(obj[i], 0, 1);
            double confidence = std::sqrt(product);
            if (!(confidence >= settings.minimum_confidence)) continue;
            double column = static_cast<double>(i % static_cast<size_t>(cells));
            double row = static_cast<double>(i / static_cast<size_t>(cells));
            double width = std::exp(bbox[i * 4 + 2]) * stride, height = std::exp(bbox[i * 4 + 3]) * stride;
            double x = (column + bbox[i * 4]) * stride - width / 2;
            double y = (row + bbox[i * 4 + 1]) * stride - height / 2;
            if (!std::isfinite(x + y + width + height)) continue;
            found.push_back({x * scale, y * scale, width * scale, height * scale, confidence});
        }
    }
}

double overlap(const CFaceDetectBox &a, const CFaceDetectBox &b) {
    double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
    double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
    if (width <= 0 || height <= 0) return 0;
    double common = width * height;
    return common / (a.width * a.height + b.width * b.height - common);
}

/// Of faces that overlap, the surest.
std::vector<CFaceDetectBox> surest(std::vector<CFaceDetectBox> found, double maximum_overlap) {
    std::sort(found.begin(), found.end(), [](const CFaceDetectBox &a, const CFaceDetectBox &b) {
        return a.confidence > b.confidence;
    });
    found.resize(std::min(found.size(), most_candidates));
    std::vector<CFaceDetectBox> kept;
    for (const CFaceDetectBox &face : found) {
        bool taken = std::any_of(kept.begin(), kept.end(), [&](const CFaceDetectBox &other) {
            return overlap(face, other) > maximum_overlap;
        });
        if (!taken) kept.push_back(face);
    }
    return kept;
}

}  // namespace

int32_t CFaceDetect_yunet_side(void) { return side; }

CFaceDetectYuNet *CFaceDetect_yunet_open(
    const uint8_t *model, size_t size, char *message, size_t message_size) {
    return facedetect::guarded<CFaceDetectYuNet *>(
        nullptr, message, message_size, [&]() -> CFaceDetectYuNet * {
            auto yunet = std::make_unique<CFaceDetectYuNet>();
            yunet->network = cv::dnn::readNetFromONNX(reinterpret_cast<const char *>(model), size);
            CV_Assert(!yunet->network.empty());
            return yunet.release();
        });
}

void CFaceDetect_yunet_close(CFaceDetectYuNet *yunet) { delete yunet; }

ptrdiff_t CFaceDetect_yunet_find(
    CFaceDetectYuNet *yunet, const CFaceDetectPicture *picture,
    const CFaceDetectYuNetSettings *settings, CFaceDetectBox *boxes, size_t capacity,
    char *message, size_t message_size) {
    return facedetect::guarded<ptrdiff_t>(-1, message, message_size, [&]() -> ptrdiff_t {
        cv::Mat colour = facedetect::view(*picture);
        if (colour.channels() == 1) cv::cvtColor(colour, colour, cv::COLOR_GRAY2RGB);
        CV_Assert(colour.cols <= side && colour.rows <= side);
        std::vector<CFaceDetectBox> found;
        look(yunet->network, colour, 1, *settings, found);
        int longer = std::max(colour.cols, colour.rows);
        if (settings->second_pass > 0 && longer > settings->second_pass) {
            double scale = static_cast<double>(settings->second_pass) / longer;
            cv::Mat smaller;
            // A picture may be so flat that nothing would be left of a side.
            cv::Size size(std::max(1, cvRound(colour.cols * scale)), std::max(1, cvRound(colour.rows * scale)));
            cv::resize(colour, smaller, size, 0, 0, cv::INTER_AREA);
            look(yunet->network, smaller, 1 / scale, *settings, found);
        }
        std::vector<CFaceDetectBox> faces = surest(std::move(found), settings->maximum_overlap);
        size_t count = std::min(faces.size(), capacity);
        std::copy_n(faces.begin(), count, boxes);
        return static_cast<ptrdiff_t>(count);
    });
}
