// Cascades of boosted stumps over upright Haar features, run over many windows at once.
#ifndef CFACEDETECT_STUMPCASCADE_HPP
#define CFACEDETECT_STUMPCASCADE_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <vector>

namespace facedetect {

/// A place in a row of sums: where a corner of a rectangle lies as seen from a window's own place.
using Corner = std::int32_t;

/// A feature with its threshold and what it adds to its stage below and from that on.
struct Stump {
    /// Rectangles of a feature at the most.
    static constexpr int most = 3;
    std::array<cv::Rect, most> rectangles;
    std::array<std::array<Corner, 4>, most> corners;
    std::array<float, most> weights;
    float threshold, below, above;
};

/// Stumps that a window has to pass together.
struct Stage {
    std::vector<Stump> stumps;
    float threshold;
};

/// The sums above and to the left of every pixel of a picture, in rows of ints.
///
/// Windows that are two pixels apart have their columns in two parts of a row, the even ones and the odd
/// ones, so that what neighbouring windows need lies side by side in either case.
struct Sums {
    /// Pixels from a window to the next, across and down: 1 or 2.
    int step = 1;
    /// Ints from a row to the next.
    int stride = 0;
    std::vector<std::int32_t> values, squares;

    Corner corner(int x, int y) const {
        return y * stride + (step == 1 ? x : x / 2 + (x % 2) * (stride / 2));
    }
    std::array<Corner, 4> corners(const cv::Rect &of) const;

    /// Adds up a picture.
    void add_up(const cv::Mat &picture, int step);
};

/// A cascade that finds, window by window, what cv::CascadeClassifier finds with the same file, to the last
/// bit of its sums, in a fraction of the time: that one looks at one window after the other.
class StumpCascade {
public:
    /// Reads a cascade; nothing if it is of another kind, such as one with trees, or tilted features.
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
