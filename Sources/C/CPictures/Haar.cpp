// Cascades of boosted Haar features: P. Viola and M. Jones, "Rapid Object
// Detection using a Boosted Cascade of Simple Features", CVPR 2001, as
// cv::CascadeClassifier runs them.
#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <vector>

#include "Boundary.hpp"
#include "StumpCascade.hpp"

struct CFaceDetectHaar {
    cv::CascadeClassifier cascade;
    /// The same cascade, run faster; null if only OpenCV can run it.
    std::unique_ptr<facedetect::StumpCascade> stumps;
    /// Windows that reach this level passed every stage.
    int stages = 0;
};

namespace {

/// Windows of one face differ in place and size by at most this share (OpenCV's GROUP_EPS).
constexpr double similar = 0.2;

/// Sums of a stage are added up in these.
constexpr double millionths = 1e6;

/// Returns the factor by which a picture is enlarged: windows step over a small one in whole pixels, which
/// are too coarse there for as many of them to meet on a face as do in a large one.
double enlargement(const cv::Mat &picture, const CFaceDetectHaarSettings &settings) {
    double factor = static_cast<double>(settings.enlarge_to) / std::max(picture.cols, picture.rows);
    return std::clamp(factor, 1.0, 2.0);
}

cv::Mat equalized(const cv::Mat &picture, double enlargement) {
    cv::Mat grey, result;
    if (picture.channels() == 3) {
        cv::cvtColor(picture, grey, cv::COLOR_RGB2GRAY);
    } else {
        grey = picture;
    }
    if (enlargement > 1) {
        cv::Mat larger;
        cv::resize(grey, larger, cv::Size(), enlargement, enlargement, cv::INTER_CUBIC);
        grey = larger;
    }
    cv::equalizeHist(grey, result);
    return result;
}

/// A size of windows, and how many times as large as the cascade's own it is.
struct Scale {
    cv::Size size;
    double factor;
};

/// The sizes of windows, as cv::CascadeClassifier has them.
std::vector<Scale> scales(
    const CFaceDetectHaar &haar, const cv::Size &picture, int minimum, double scale_factor) {
    CV_Assert(scale_factor > 1);
    cv::Size first = haar.cascade.getOriginalWindowSize();
    std::vector<Scale> scales;
    for (double factor = 1;; factor *= scale_factor) {
        cv::Size size(cvRound(first.width * factor), cvRound(first.height * factor));
        if (size.width > picture.width || size.height > picture.height) return scales;
        if (size.width >= minimum && size.height >= minimum) scales.push_back({size, factor});
    }
}

/// Adds the windows of one size that have passed all stages, as OpenCV finds them.
///
/// OpenCV prepares a picture for all sizes that it is asked for at once, which takes more than 12 bytes a
/// pixel: in a larger look more than all else. One after the other they find the same in the same time.
void look(
    CFaceDetectHaar &haar, const cv::Mat &grey, const cv::Size &size, double scale_factor,
    std::vector<cv::Rect> &windows, std::vector<double> &weights) {
    std::vector<cv::Rect> here;
    std::vector<int> levels;
    std::vector<double> sums;
    // Zero neighbours: every window, not grouped, with how far it got.
    haar.cascade.detectMultiScale(grey, here, levels, sums, scale_factor, 0, 0, size, size, true);
    // With levels asked for, OpenCV also reports windows that failed one of the last stages.
    for (size_t i = 0; i < here.size(); i++) {
        if (levels[i] < haar.stages) continue;
        windows.push_back(here[i]);
        weights.push_back(sums[i]);
    }
}

/// Adds the windows of all sizes that have passed all stages.
void look_at_all(
    CFaceDetectHaar &haar, const cv::Mat &grey, int minimum, const CFaceDetectHaarSettings &settings,
    std::vector<cv::Rect> &windows, std::vector<double> &weights) {
    cv::Size last;
    for (const Scale &scale : scales(haar, grey.size(), minimum, settings.scale_factor)) {
        if (haar.stumps && !settings.leaves_it_to_opencv) {
            haar.stumps->find(grey, static_cast<float>(scale.factor), windows, weights);
        } else if (scale.size != last) {
            look(haar, grey, scale.size, settings.scale_factor, windows, weights);
        }
        last = scale.size;
    }
}

/// One box a group of similar windows: the mean of their sides, the greatest weight, and the mean weight.
///
/// cv::groupRectangles can't do it: given weights, it holds `neighbours` against
/// the level a window reached instead of against the number of windows.
std::vector<CFaceDetectBox> group(
    const std::vector<cv::Rect> &windows, const std::vector<double> &weights,
    const CFaceDetectHaarSettings &settings) {
    // cv::partition takes the address of the first.
    if (windows.empty()) return {};
    std::vector<int> labels;
    int groups = cv::partition(windows, labels, cv::SimilarRects(similar));
    std::vector<CFaceDetectBox> sums(static_cast<size_t>(groups), CFaceDetectBox{0, 0, 0, 0, -1e9, 0, 0, 0, {}});
    std::vector<int> counts(static_cast<size_t>(groups), 0);
    for (size_t i = 0; i < windows.size(); i++) {
        size_t label = static_cast<size_t>(labels[i]);
        CFaceDetectBox &sum = sums[label];
        sum.x += windows[i].x;
        sum.y += windows[i].y;
        sum.width += windows[i].width;
        sum.height += windows[i].height;
        sum.confidence = std::max(sum.confidence, weights[i]);
        // Whole numbers add up to the same in any order.
        sum.mean += std::nearbyint(weights[i] * millionths);
        counts[label]++;
    }
    std::vector<CFaceDetectBox> faces;
    std::vector<int> support;
    for (size_t i = 0; i < sums.size(); i++) {
        CFaceDetectBox face = sums[i];
        if (counts[i] <= settings.neighbours || face.confidence < settings.minimum_confidence) continue;
        face.x /= counts[i];
        face.y /= counts[i];
        face.width /= counts[i];
        face.height /= counts[i];
        face.windows = counts[i];
        face.mean /= counts[i] * millionths;
        faces.push_back(face);
        support.push_back(counts[i]);
    }
    // A face inside another that more windows agree on is a part of it, as in cv::groupRectangles.
    std::vector<CFaceDetectBox> kept;
    for (size_t i = 0; i < faces.size(); i++) {
        bool inside = false;
        for (size_t j = 0; j < faces.size() && !inside; j++) {
            const CFaceDetectBox &a = faces[i], &b = faces[j];
            double dx = b.width * similar, dy = b.height * similar;
            inside = i != j && a.x >= b.x - dx && a.y >= b.y - dy &&
                     a.x + a.width <= b.x + b.width + dx &&
                     a.y + a.height <= b.y + b.height + dy &&
                     (support[j] > std::max(3, support[i]) || support[i] < 3);
        }
        if (!inside) kept.push_back(faces[i]);
    }
    return kept;
}

}  // namespace

CFaceDetectHaar *CFaceDetect_haar_open(const char *path, char *message, size_t message_size) {
    return facedetect::guarded<CFaceDetectHaar *>(
        nullptr, message, message_size, [&]() -> CFaceDetectHaar * {
            auto haar = std::make_unique<CFaceDetectHaar>();
            cv::FileStorage file(path, cv::FileStorage::READ);
            CV_Assert(file.isOpened());
            cv::FileNode node = file.getFirstTopLevelNode();
            CV_Assert(haar->cascade.read(node));
            haar->stages = static_cast<int>(node["stageNum"]);
            CV_Assert(haar->stages > 0);
            haar->stumps = facedetect::StumpCascade::read(node);
            return haar.release();
        });
}

void CFaceDetect_haar_close(CFaceDetectHaar *haar) { delete haar; }

ptrdiff_t CFaceDetect_haar_find(
    CFaceDetectHaar *haar, const CFaceDetectPicture *picture,
    const CFaceDetectHaarSettings *settings, CFaceDetectBox *boxes, size_t capacity,
    char *message, size_t message_size) {
    return facedetect::guarded<ptrdiff_t>(-1, message, message_size, [&]() -> ptrdiff_t {
        cv::Mat given = facedetect::view(*picture);
        double larger = enlargement(given, *settings);
        cv::Mat grey = equalized(given, larger);
        int minimum = cvRound(settings->minimum_face * larger);
        std::vector<cv::Rect> windows;
        std::vector<double> weights;
        look_at_all(*haar, grey, minimum, *settings, windows, weights);
        std::vector<CFaceDetectBox> faces = group(windows, weights, *settings);
        for (CFaceDetectBox &face : faces) {
            face.x /= larger;
            face.y /= larger;
            face.width /= larger;
            face.height /= larger;
        }
        std::sort(faces.begin(), faces.end(), [](const CFaceDetectBox &a, const CFaceDetectBox &b) {
            return a.confidence > b.confidence;
        });
        size_t count = std::min(faces.size(), capacity);
        std::copy_n(faces.begin(), count, boxes);
        return static_cast<ptrdiff_t>(count);
    });
}

void CFaceDetect_use_one_thread(void) {
    static const bool once = (cv::setNumThreads(1), true);
    static_cast<void>(once);
}
