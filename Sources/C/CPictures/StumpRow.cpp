#include "StumpRow.hpp"

#include <algorithm>
#include <cstring>

// OpenCV rounds after each multiplication, so they must not be fused with additions.
#pragma clang fp contract(off)

#define INLINE __attribute__((always_inline)) inline

namespace facedetect {

namespace {

constexpr int lanes = StumpRow::lanes;
using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));
using Naturals = std::uint32_t __attribute__((vector_size(4 * lanes)));
using Floats = float __attribute__((vector_size(4 * lanes)));
using Doubles = double __attribute__((vector_size(8 * lanes)));
using Longs = std::int64_t __attribute__((vector_size(8 * lanes)));

template <typename Vector, typename Value> INLINE void load(const Value *from, Vector &to) {
    std::memcpy(&to, from, sizeof to);
}

/// The sums over a rectangle in eight neighbouring windows; squares wrap, as in OpenCV.
INLINE void add_up(const std::int32_t *place, const std::array<Corner, 4> &corners, Ints &sum) {
    Naturals a, b, c, d;
    load(place + corners[0], a);
    load(place + corners[1], b);
    load(place + corners[2], c);
    load(place + corners[3], d);
    Naturals difference = a - b - c + d;
    std::memcpy(&sum, &difference, sizeof sum);
}

/// Each window's sum in a stage, added up in OpenCV's order.
INLINE void add_up(const Stage &stage, const std::int32_t *place, const Floats &factors, Doubles &sum) {
    sum = Doubles{};
    for (const Stump &stump : stage.stumps) {
        Ints whole, part;
        add_up(place, stump.corners[0], whole);
        add_up(place, stump.corners[1], part);
        Floats value = __builtin_convertvector(whole, Floats) * stump.weights[0]
                       + __builtin_convertvector(part, Floats) * stump.weights[1];
        if (stump.weights[2] != 0) {
            add_up(place, stump.corners[2], part);
            value += __builtin_convertvector(part, Floats) * stump.weights[2];
        }
        value *= factors;
        Floats below = Floats{} + stump.below, above = Floats{} + stump.above;
        Floats added = value < stump.threshold ? below : above;
        sum += __builtin_convertvector(added, Doubles);
    }
}

/// A bit for each lane that is true.
INLINE unsigned bits(const Longs &truths) {
    unsigned bits = 0;
    for (int i = 0; i < lanes; i++) bits |= static_cast<unsigned>(truths[i] & 1) << i;
    return bits;
}

/// Measures the contrast of windows, which their features are divided by; returns the windows that have any.
INLINE unsigned measure(
    const std::int32_t *value, const std::int32_t *square, const std::array<Corner, 4> &inner, double area,
    Floats &factor) {
    Ints sum, squares;
    add_up(value, inner, sum);
    add_up(square, inner, squares);
    Naturals natural;
    std::memcpy(&natural, &squares, sizeof natural);
    Doubles light = __builtin_convertvector(sum, Doubles);
    Doubles contrast = area * __builtin_convertvector(natural, Doubles) - light * light;
    Doubles root = __builtin_elementwise_sqrt(contrast > 0 ? contrast : Doubles{} + 1);
    factor = __builtin_convertvector(1 / root, Floats);
    return bits(contrast > 0 & area * __builtin_convertvector(factor, Doubles) < 1e-1);
}

}  // namespace

StumpRow::StumpRow(
    const std::vector<Stage> &stages, const Sums &sums, const cv::Size &window, int count)
    : stages(stages), sums(sums), count(count) {
    cv::Rect all(1, 1, window.width - 2, window.height - 2);
    inner = sums.corners(all);
    area = all.area();
#ifdef __x86_64__
    has_avx2 = __builtin_cpu_supports("avx2");
#endif
}

/// Evaluates a row. Like OpenCV, it leaves out a window whose neighbour failed the first stage.
///
/// All eight lanes go on until none is left: windows that get far lie together, so picking out the last few
/// would not pay.
INLINE void StumpRow::work(const std::int32_t *values, const std::int32_t *squares) {
    bool leaves_out = false;
    for (int first = 0; first < count; first += lanes) {
        Floats factors;
        Doubles sum;
        unsigned seen = measure(values + first, squares + first, inner, area, factors);
        add_up(stages[0], values + first, factors, sum);
        unsigned failed = seen & bits(sum < static_cast<double>(stages[0].threshold)), left = 0;
        for (int i = 0; i < std::min(lanes, count - first); i++) {
            bool is_left_out = leaves_out;
            leaves_out = !is_left_out && (failed >> i & 1) != 0;
            if (!is_left_out) left |= seen & ~failed & 1U << i;
        }
        for (size_t stage = 1; stage < stages.size() && left != 0; stage++) {
            add_up(stages[stage], values + first, factors, sum);
            left &= ~bits(sum < static_cast<double>(stages[stage].threshold));
        }
        for (int i = 0; i < lanes; i++) {
            if ((left >> i & 1) != 0) passed.push_back({first + i, sum[i]});
        }
    }
}

#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
void StumpRow::work_with_avx2(const std::int32_t *values, const std::int32_t *squares) {
    work(values, squares);
}

void StumpRow::work_plainly(const std::int32_t *values, const std::int32_t *squares) {
    work(values, squares);
}

const std::vector<StumpRow::Passed> &StumpRow::look(int y) {
    passed.clear();
    size_t start = static_cast<size_t>(y) * static_cast<size_t>(sums.stride);
    const std::int32_t *values = &sums.values[start], *squares = &sums.squares[start];
    if (has_avx2) {
        work_with_avx2(values, squares);
    } else {
        work_plainly(values, squares);
    }
    return passed;
}

}  // namespace facedetect
