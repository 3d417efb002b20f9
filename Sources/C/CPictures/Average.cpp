// Smaller versions of a picture for people to look at: each pixel is the mean of what lies in its place. Nothing of
// OpenCV, whose start would open files, since it is also for a process that may open none.
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "Boundary.hpp"

namespace {

/// The part of a longer side that lies in one pixel of a shorter one.
struct Span {
    int32_t first;
    int32_t count;
};

/// The spans of a side that is `from` long and becomes `to` long, and how much of each pixel is in them: `weights` are
/// those of one span after the other, and of each the sum is 1.
std::vector<Span> spans(int32_t from, int32_t to, std::vector<float> &weights) {
    std::vector<Span> all;
    all.reserve(static_cast<size_t>(to));
    // In parts of a pixel of which there are `to`: so ends of spans are whole numbers.
    const int64_t part = to, whole = from;
    for (int64_t i = 0; i < to; i++) {
        const int64_t begin = i * whole, end = begin + whole;
        const int64_t first = begin / part, last = (end - 1) / part;
        for (int64_t pixel = first; pixel <= last; pixel++) {
            const int64_t inside = std::min(end, (pixel + 1) * part) - std::max(begin, pixel * part);
            weights.push_back(static_cast<float>(static_cast<double>(inside) / static_cast<double>(whole)));
        }
        all.push_back({static_cast<int32_t>(first), static_cast<int32_t>(last - first + 1)});
    }
    return all;
}

/// Adds a row of the picture to a sum, with a weight.
void add(const uint8_t *row, float weight, float *sum, size_t count) {
    for (size_t i = 0; i < count; i++) sum[i] += weight * static_cast<float>(row[i]);
}

template <int Bands>
void narrow(const float *row, const std::vector<Span> &spans, const float *weights, uint8_t *out) {
    for (const Span &span : spans) {
        float sums[Bands] = {};
        const float *from = row + static_cast<size_t>(span.first) * Bands;
        for (int32_t i = 0; i < span.count; i++) {
            const float weight = *weights++;
            for (int band = 0; band < Bands; band++) sums[band] += weight * *from++;
        }
        for (int band = 0; band < Bands; band++) {
            *out++ = static_cast<uint8_t>(std::min(255.0f, sums[band] + 0.5f));
        }
    }
}

}  // namespace

int32_t CFaceDetect_average(
    const CFaceDetectPicture *picture, uint8_t *pixels, int32_t width, int32_t height,
    char *message, size_t message_size) {
    return facedetect::guarded<int32_t>(-1, message, message_size, [&]() -> int32_t {
        if (width <= 0 || height <= 0 || width > picture->width || height > picture->height
            || (picture->bands != 1 && picture->bands != 3)) {
            throw std::invalid_argument("a picture can't be made so small");
        }
        std::vector<float> across, down;
        const std::vector<Span> columns = spans(picture->width, width, across);
        const std::vector<Span> rows = spans(picture->height, height, down);
        const size_t count = static_cast<size_t>(picture->width) * static_cast<size_t>(picture->bands);
        std::vector<float> sum(count);
        const float *weight = down.data();
        for (size_t y = 0; y < rows.size(); y++) {
            std::fill(sum.begin(), sum.end(), 0.0f);
            for (int32_t i = 0; i < rows[y].count; i++) {
                add(picture->pixels + static_cast<size_t>(rows[y].first + i) * count, *weight++, sum.data(), count);
            }
            uint8_t *out = pixels + y * static_cast<size_t>(width) * static_cast<size_t>(picture->bands);
            if (picture->bands == 3) {
                narrow<3>(sum.data(), columns, across.data(), out);
            } else {
                narrow<1>(sum.data(), columns, across.data(), out);
            }
        }
        return 0;
    });
}
