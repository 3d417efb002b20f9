#include "StumpCascade.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "StumpRow.hpp"

namespace facedetect {

namespace {

/// The number that OpenCV subtracts from each stage's threshold (THRESHOLD_EPS in cascadedetect.cpp).
constexpr float tolerance = 1e-5F;

/// A Haar feature: weighted rectangles.
struct Feature {
    std::array<cv::Rect, Stump::most> rectangles;
    std::array<float, Stump::most> weights{};
};

/// Reads a feature; false if it is tilted or reaches out of the window.
bool read(const cv::FileNode &node, const cv::Size &window, Feature &feature) {
    cv::FileNode rectangles = node["rects"];
    if (static_cast<int>(node["tilted"]) != 0 || rectangles.size() < 2 || rectangles.size() > Stump::most) {
        return false;
    }
    size_t next = 0;
    for (const cv::FileNode &one : rectangles) {
        if (one.size() != 5) return false;
        cv::Rect rectangle(one[0], one[1], one[2], one[3]);
        if (rectangle != (rectangle & cv::Rect(cv::Point(), window))) return false;
        feature.rectangles[next] = rectangle;
        feature.weights[next++] = static_cast<float>(one[4]);
    }
    return true;
}

/// Reads a stump; false if it is a tree.
bool read(const cv::FileNode &node, const std::vector<Feature> &features, Stump &stump) {
    cv::FileNode nodes = node["internalNodes"], leaves = node["leafValues"];
    if (nodes.size() != 4 || leaves.size() != 2) return false;
    int left = nodes[0], right = nodes[1], feature = nodes[2];
    if (left != 0 || right != -1 || feature < 0 || feature >= static_cast<int>(features.size())) {
        return false;
    }
    stump.threshold = static_cast<float>(nodes[3]);
    stump.below = static_cast<float>(leaves[0]);
    stump.above = static_cast<float>(leaves[1]);
    stump.rectangles = features[static_cast<size_t>(feature)].rectangles;
    stump.weights = features[static_cast<size_t>(feature)].weights;
    return true;
}

}  // namespace

std::array<Corner, 4> Sums::corners(const cv::Rect &of) const {
    int right = of.x + of.width, bottom = of.y + of.height;
    return {corner(of.x, of.y), corner(right, of.y), corner(of.x, bottom), corner(right, bottom)};
}

std::unique_ptr<StumpCascade> StumpCascade::read(const cv::FileNode &node) {
    auto cascade = std::make_unique<StumpCascade>();
    if (static_cast<std::string>(node["stageType"]) != "BOOST") return nullptr;
    if (static_cast<std::string>(node["featureType"]) != "HAAR") return nullptr;
    cascade->window = cv::Size(node["width"], node["height"]);
    if (cascade->window.width < 3 || cascade->window.height < 3) return nullptr;
    std::vector<Feature> features;
    for (const cv::FileNode &given : node["features"]) {
        if (!facedetect::read(given, cascade->window, features.emplace_back())) return nullptr;
    }
    for (const cv::FileNode &given : node["stages"]) {
        Stage stage;
        stage.threshold = static_cast<float>(given["stageThreshold"]) - tolerance;
        for (const cv::FileNode &weak : given["weakClassifiers"]) {
            Stump stump{};
            if (!facedetect::read(weak, features, stump)) return nullptr;
            stage.stumps.push_back(stump);
        }
        cascade->stages.push_back(std::move(stage));
    }
    if (cascade->stages.size() < 2) return nullptr;
    return cascade;
}

void Sums::add_up(const cv::Mat &picture, int step) {
    // The last lanes may read beyond the last window; what they find is dropped.
    int columns = picture.cols + 1, half = (columns + step - 1) / step + StumpRow::lanes;
    this->step = step;
    stride = half * step;
    size_t width = static_cast<size_t>(stride), rows = static_cast<size_t>(picture.rows) + 1;
    if (values.size() < width * rows) {
        for (auto *numbers : {&values, &squares}) *numbers = std::vector<std::int32_t>(width * rows);
    }
    cv::Mat sum(picture.rows + 1, columns, CV_32S, values.data(), width * sizeof values[0]);
    cv::Mat square(picture.rows + 1, columns, CV_32S, squares.data(), width * sizeof values[0]);
    cv::integral(picture, sum, square, CV_32S, CV_32S);
    CV_Assert(sum.ptr<std::int32_t>() == values.data() && square.ptr<std::int32_t>() == squares.data());
    if (step == 1) return;
    std::vector<std::int32_t> odd(static_cast<size_t>(columns / 2));
    for (int y = 0; y < sum.rows; y++) {
        for (std::int32_t *row : {sum.ptr<std::int32_t>(y), square.ptr<std::int32_t>(y)}) {
            for (size_t i = 0; i < odd.size(); i++) {
                odd[i] = row[2 * i + 1];
                row[i] = row[2 * i];
            }
            if (columns % 2 != 0) row[odd.size()] = row[columns - 1];
            std::copy(odd.begin(), odd.end(), row + half);
        }
    }
}

void StumpCascade::find(
    const cv::Mat &grey, float scale, std::vector<cv::Rect> &windows, std::vector<double> &weights) {
    cv::Size size(
        cvRound(static_cast<float>(grey.cols) / scale), cvRound(static_cast<float>(grey.rows) / scale));
    int across = size.width + 1 - window.width, down = size.height + 1 - window.height;
    if (across <= 0 || down <= 0) return;
    // OpenCV's steps, and its stripes of rows, which may leave out the last.
    int step = scale >= 2 ? 1 : 2;
    int stripes = (across + 31) / 32;
    int stripe = std::max((down / step + stripes - 1) / stripes, 1) * step;
    down = std::min(down, stripes * stripe);
    // OpenCV shrinks a picture in the same way, so every pixel is the same.
    cv::resize(grey, scaled, size, 0, 0, cv::INTER_LINEAR_EXACT);
    sums.add_up(scaled, step);
    for (Stage &stage : stages) {
        for (Stump &stump : stage.stumps) {
            for (size_t i = 0; i < Stump::most; i++) stump.corners[i] = sums.corners(stump.rectangles[i]);
        }
    }
    StumpRow row(stages, sums, window, (across + step - 1) / step);
    auto enlarged = [scale](int length) { return cvRound(static_cast<float>(length) * scale); };
    cv::Size found(enlarged(window.width), enlarged(window.height));
    for (int y = 0; y < down; y += step) {
        for (const StumpRow::Passed &passed : row.look(y)) {
            cv::Point place(enlarged(passed.index * step), enlarged(y));
            // Rounded up, one may be a little too large.
            windows.push_back(cv::Rect(place, found) & cv::Rect(cv::Point(), grey.size()));
            weights.push_back(passed.sum);
        }
    }
}

}  // namespace facedetect
