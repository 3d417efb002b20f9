// A row of windows of a cascade.
#ifndef CFACEDETECT_STUMPROW_HPP
#define CFACEDETECT_STUMPROW_HPP

#include "StumpCascade.hpp"

namespace facedetect {

/// Evaluates the windows of one row at one scale, eight at once.
class StumpRow {
public:
    /// The number of windows evaluated at once.
    static constexpr int lanes = 8;

    /// A window that has passed all stages.
    struct Passed {
        /// Its place among the windows of the row.
        int index;
        /// Its sum in the last stage.
        double sum;
    };

    /// Prepares for rows of `count` windows.
    StumpRow(const std::vector<Stage> &stages, const Sums &sums, const cv::Size &window, int count);

    /// The windows that pass in the row that begins at this line of the picture.
    const std::vector<Passed> &look(int y);

private:
    const std::vector<Stage> &stages;
    const Sums &sums;
    /// The part of a window whose contrast is measured: all but its edge.
    std::array<Corner, 4> inner;
    double area;
    int count;
    bool has_avx2 = false;
    std::vector<Passed> passed;

    void work(const std::int32_t *values, const std::int32_t *squares);
    void work_plainly(const std::int32_t *values, const std::int32_t *squares);
    void work_with_avx2(const std::int32_t *values, const std::int32_t *squares);
};

}  // namespace facedetect
#endif
