// YuNet: W. Wu, H. Peng and S. Yu, "YuNet: A Tiny Millisecond-level Face
// Detector", Machine Intelligence Research 20 (2023), by cv::dnn.
//
// The outputs are decoded as in OpenCV 4.8's modules/objdetect/src/face_detect.cpp
// (FaceDetectorYNImpl::postProcess), which Debian 12's OpenCV 4.6 doesn't have yet:
// for the cell in row r and column c of the grid of stride s (8, 16 and 32)
//     confidence = sqrt(cls * obj), both cut to 0...1
//     centre     = ((c + bbox[0]) * s, (r + bbox[1]) * s)
//     size       = (exp(bbox[2]) * s, exp(bbox[3]) * s)
//     landmark n = ((c + kps[2n]) * s, (r + kps[2n+1]) * s)
//
// The network is convolutions only: though its input is said to be 640 by 640,
// it takes any whose sides are multiples of its coarsest stride. Padding a
// picture only to the next of these spares a third of a look at 640 by 480. It
// has at least two such rows, though: in a map of one row and 18 or more columns,
// OpenCV 4.6's depthwise convolution reads the row below, which isn't there
// (valgrind reports invalid reads), and what it finds varies from call to call.
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

constexpr std::array<int, 3> strides = {8, 16, 32};
/// The number that the sides of an input are multiples of.
constexpr int coarsest = 32;
/// The least height of an input.
constexpr int fewest_rows = 2 * coarsest;
/// The longest side of an input: the network's own buffers for a square of it take 400 MB.
/// What is larger is looked at in tiles.
constexpr int longest_input = 2560;
/// Tiles reach so far into their neighbours, so that a face on a seam is whole in one of them.
constexpr int margin = 64;
/// At most this many candidates go into the comparison of pairs (OpenCV's top_k).
constexpr size_t most_candidates = 5000;

int padded(int side) { return (side + coarsest - 1) / coarsest * coarsest; }

/// A part of one side of a picture: what is looked at, and the middle of what is found in it.
struct Span {
    int begin, end, first, last;
    bool holds(double middle, int length) const {
        return (first == 0 || middle >= first) && (last == length || middle < last);
    }
};

/// A side cut into as few parts as there can be, each with its margins no longer than an input.
std::vector<Span> spans(int length) {
    int core = longest_input - 2 * margin;
    int count = length <= longest_input ? 1 : (length + core - 1) / core;
    std::vector<Span> spans;
    for (int i = 0; i < count; i++) {
        int first = static_cast<int>(static_cast<int64_t>(length) * i / count);
        int last = static_cast<int>(static_cast<int64_t>(length) * (i + 1) / count);
        spans.push_back({std::max(0, first - margin), std::min(length, last + margin), first, last});
    }
    return spans;
}

/// Faces of one input, in its pixels; `picture` is put top left on black.
void look(
    cv::dnn::Net &network, const cv::Mat &picture, double minimum_confidence,
    std::vector<CFaceDetectBox> &found) {
    int rows = std::max(fewest_rows, padded(picture.rows));
    cv::Mat input = cv::Mat::zeros(rows, padded(picture.cols), CV_8UC3);
    picture.copyTo(input(cv::Rect(0, 0, picture.cols, picture.rows)));
    // The network is trained on blue, green, red, 0 to 255.
    network.setInput(cv::dnn::blobFromImage(input, 1.0, cv::Size(), cv::Scalar(), true));
    static const std::vector<cv::String> names = {
        "cls_8", "cls_16", "cls_32", "obj_8", "obj_16", "obj_32",
        "bbox_8", "bbox_16", "bbox_32", "kps_8", "kps_16", "kps_32"};
    std::vector<cv::Mat> outputs;
    network.forward(outputs, names);
    CV_Assert(outputs.size() == names.size());

    for (size_t level = 0; level < strides.size(); level++) {
        int stride = strides[level];
        size_t columns = static_cast<size_t>(input.cols / stride);
        size_t count = columns * static_cast<size_t>(input.rows / stride);
        const cv::Mat &classes = outputs[level], &objects = outputs[level + 3];
        const cv::Mat &places = outputs[level + 6], &points = outputs[level + 9];
        CV_Assert(classes.total() == count && objects.total() == count);
        CV_Assert(places.total() == count * 4 && points.total() == count * CFACEDETECT_LANDMARKS * 2);
        const float *cls = classes.ptr<float>(), *obj = objects.ptr<float>();
        const float *bbox = places.ptr<float>(), *kps = points.ptr<float>();
        for (size_t i = 0; i < count; i++) {
            double product = std::clamp<double>(cls[i], 0, 1) * std::clamp<double>(obj[i], 0, 1);
            double confidence = std::sqrt(product);
            if (!(confidence >= minimum_confidence)) continue;
            double column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
            double width = std::exp(bbox[i * 4 + 2]) * stride, height = std::exp(bbox[i * 4 + 3]) * stride;
            double x = (column + bbox[i * 4]) * stride - width / 2;
            double y = (row + bbox[i * 4 + 1]) * stride - height / 2;
            double sum = x + y + width + height;
            CFaceDetectBox box = {x, y, width, height, confidence, 1, 0, 0, {}};
            for (size_t n = 0; n < CFACEDETECT_LANDMARKS; n++) {
                const float *point = kps + (i * CFACEDETECT_LANDMARKS + n) * 2;
                box.landmarks[n] = {(column + point[0]) * stride, (row + point[1]) * stride};
                sum += box.landmarks[n].x + box.landmarks[n].y;
            }
            if (std::isfinite(sum)) found.push_back(box);
        }
    }
}

/// The box as it is where its input begins at `x` and `y` and was shrunk by `scale`.
CFaceDetectBox moved(CFaceDetectBox box, double scale, double x, double y) {
    box.x = box.x * scale + x;
    box.y = box.y * scale + y;
    box.width *= scale;
    box.height *= scale;
    for (CFaceDetectPoint &point : box.landmarks) point = {point.x * scale + x, point.y * scale + y};
    return box;
}

/// Faces of a picture of any size, in tiles where it is larger than an input.
void look_everywhere(
    cv::dnn::Net &network, const cv::Mat &picture, double minimum_confidence,
    std::vector<CFaceDetectBox> &found) {
    for (const Span &down : spans(picture.rows)) {
        for (const Span &across : spans(picture.cols)) {
            std::vector<CFaceDetectBox> here;
            cv::Range rows(down.begin, down.end), columns(across.begin, across.end);
            look(network, picture(rows, columns), minimum_confidence, here);
            for (const CFaceDetectBox &box : here) {
                CFaceDetectBox face = moved(box, 1, across.begin, down.begin);
                // Each face is reported by the tile that has its middle.
                if (across.holds(face.x + face.width / 2, picture.cols) &&
                    down.holds(face.y + face.height / 2, picture.rows)) {
                    found.push_back(face);
                }
            }
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

int32_t CFaceDetect_yunet_longest_input(void) { return longest_input; }

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
        std::vector<CFaceDetectBox> found;
        look_everywhere(yunet->network, colour, settings->minimum_confidence, found);
        int longer = std::max(colour.cols, colour.rows);
        if (settings->second_pass > 0 && longer > settings->second_pass) {
            double scale = static_cast<double>(settings->second_pass) / longer;
            cv::Mat smaller;
            // A picture may be so flat that nothing would be left of a side.
            cv::Size size(std::max(1, cvRound(colour.cols * scale)), std::max(1, cvRound(colour.rows * scale)));
            cv::resize(colour, smaller, size, 0, 0, cv::INTER_AREA);
            std::vector<CFaceDetectBox> large;
            look(yunet->network, smaller, settings->minimum_confidence, large);
            for (const CFaceDetectBox &box : large) found.push_back(moved(box, 1 / scale, 0, 0));
        }
        std::vector<CFaceDetectBox> faces = surest(std::move(found), settings->maximum_overlap);
        size_t count = std::min(faces.size(), capacity);
        std::copy_n(faces.begin(), count, boxes);
        return static_cast<ptrdiff_t>(count);
    });
}
