// Cascades of boosted stumps over upright Haar features, run over many windows at once.
#ifndef CFACEDETECT_STUMPCASCADE_HPP
#define CFACEDETECT_STUMPCASCADE_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <vector>

namespace facedetect {

/// The distance in a table of sums from a window's origin to a corner of a rectangle.
using Corner = std::int32_t;

/// A decision stump: a feature, a threshold, and what is added to the stage's sum below it and from it on.
struct Stump {
    /// The most rectangles that a feature has.
    static constexpr int most = 3;
    std::array<cv::Rect, most> rectangles;
    std::array<std::array<Corner, 4>, most> corners;
    std::array<float, most> weights;
    float threshold, below, above;
};

/// Stumps whose sum has to reach a threshold for a window to pass.
struct Stage {
    std::vector<Stump> stumps;
    float threshold;
};

/// The integral images of a picture and of its squares (Viola and Jones, 2001), which give the sum over any
/// rectangle in four reads.
///
/// Where windows are two pixels apart, a row has its even columns first and then its odd ones, so that what
/// neighbouring windows read lies side by side in either case.
struct Sums {
    /// The pixels from one window to the next, across and down: 1 or 2.
    int step = 1;
    /// The ints from one row to the next.
    int stride = 0;
    std::vector<std::int32_t> values, squares;

    Corner corner(int x, int y) const {
        return y * stride + (step == 1 ? x : x / 2 + (x % 2) * (stride / 2));
    }
    std::array<Corner, 4> corners(const cv::Rect &of) const;

    /// Fills both tables from a picture.
    void add_up(const cv::Mat &picture, int step);
};

/// A cascade that finds the same windows as cv::CascadeClassifier, to the last bit of their sums, in less than
/// half the time: it evaluates eight windows at once, and OpenCV one.
class StumpCascade {
public:
    /// Reads a cascade; null if it is of another kind, such as one with trees or tilted features.
    static std::unique_ptr<StumpCascade> read(const cv::FileNode &node);

    /// Adds the windows that pass all stages where the picture is `scale` times as large as the cascade's
    /// window, and their sums in the last stage.
    void find(
        const cv::Mat &grey, float scale, std::vector<cv::Rect> &windows, std::vector<double> &weights);

private:
    cv::Size window;
    std::vector<Stage> stages;
    // Kept from one scale to the next.
    cv::Mat scaled;
    Sums sums;
};

}  // namespace facedetect
#endif
