// The C++ shim over OpenCV, by itself, for the address and undefined-behaviour sanitizers:
// scripts/sanitize builds and runs it. Every buffer has exactly the size that is announced.
// usage: shim-tests CASCADE [MODEL]
#include <CFaceDetect.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <opencv2/core/utility.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(bool is, const char *what, int line) {
    if (is) return;
    std::fprintf(stderr, "line %d: expected %s\n", line, what);
    failures++;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

/// Pixels on the heap, none more than there are.
struct Canvas {
    int width, height, bands;
    std::unique_ptr<uint8_t[]> pixels;

    Canvas(int width, int height, int bands, uint8_t ground)
        : width(width), height(height), bands(bands), pixels(new uint8_t[size()]) {
        std::memset(pixels.get(), ground, size());
    }

    size_t size() const { return static_cast<size_t>(width) * static_cast<size_t>(height * bands); }

    CFaceDetectPicture picture() const { return {pixels.get(), width, height, bands}; }

    void noise(unsigned seed) {
        std::minstd_rand random(seed);
        for (size_t i = 0; i < size(); i++) pixels[i] = static_cast<uint8_t>(random());
    }

    void ellipse(double x, double y, double across, double down, uint8_t light) {
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                double dx = (column - x) / across, dy = (row - y) / down;
                if (dx * dx + dy * dy >= 1) continue;
                for (int band = 0; band < bands; band++) {
                    pixels[static_cast<size_t>((row * width + column) * bands + band)] = light;
                }
            }
        }
    }

    /// Paints what a cascade takes for a face: eyes and mouth darker than what is around them.
    void face(double x, double y, double side) {
        auto blob = [&](double dx, double dy, double across, double down, uint8_t light) {
            ellipse(x + dx * side, y + dy * side, across * side, down * side, light);
        };
        blob(0.5, 0.40, 0.56, 0.68, 40);
        blob(0.5, 0.52, 0.46, 0.64, 190);
        for (double eye : {0.30, 0.70}) {
            blob(eye, 0.36, 0.15, 0.10, 125);
            blob(eye, 0.25, 0.14, 0.03, 30);
            blob(eye, 0.37, 0.06, 0.05, 30);
            blob(eye, 0.60, 0.10, 0.10, 215);
        }
        blob(0.5, 0.45, 0.04, 0.20, 220);
        blob(0.5, 0.63, 0.09, 0.03, 120);
        blob(0.5, 0.82, 0.18, 0.045, 90);
        blob(0.5, 1.02, 0.14, 0.08, 215);
    }
};

/// Room for so many boxes, and for a message, and not a byte more.
struct Room {
    size_t capacity;
    std::unique_ptr<CFaceDetectBox[]> boxes;
    std::vector<char> message = std::vector<char>(64, 'x');

    explicit Room(size_t capacity) : capacity(capacity), boxes(new CFaceDetectBox[capacity]) {}

    ptrdiff_t find(CFaceDetectHaar *haar, const CFaceDetectPicture &picture, CFaceDetectHaarSettings how) {
        return CFaceDetect_haar_find(
            haar, &picture, &how, boxes.get(), capacity, message.data(), message.size());
    }

    ptrdiff_t find(CFaceDetectYuNet *yunet, const CFaceDetectPicture &picture, CFaceDetectYuNetSettings how) {
        return CFaceDetect_yunet_find(
            yunet, &picture, &how, boxes.get(), capacity, message.data(), message.size());
    }

    bool hasMessage() const {
        size_t length = strnlen(message.data(), message.size());
        return length > 0 && length < message.size();
    }
};

const CFaceDetectHaarSettings usual = {1.1, 4, 30, -1e9, 0, false};

void refusesFiles() {
    std::string junk = std::tmpnam(nullptr);
    std::ofstream(junk) << "<?xml version=\"1.0\"?><opencv_storage><a>1</a></opencv_storage>";
    for (const std::string &path : {std::string("/none.xml"), std::string("/etc/hostname"), junk}) {
        Room room(0);
        CFaceDetectHaar *haar = CFaceDetect_haar_open(path.c_str(), room.message.data(), room.message.size());
        EXPECT(haar == nullptr);
        EXPECT(room.hasMessage());
        // A message that doesn't fit is cut off, with its end.
        std::vector<char> small(5, 'x');
        EXPECT(CFaceDetect_haar_open(path.c_str(), small.data(), small.size()) == nullptr);
        EXPECT(strnlen(small.data(), small.size()) == 4);
    }
    std::remove(junk.c_str());
    for (size_t size : {size_t(0), size_t(1), size_t(1000)}) {
        std::vector<uint8_t> bytes(size, 7);
        Room room(0);
        EXPECT(CFaceDetect_yunet_open(bytes.data(), size, room.message.data(), room.message.size()) == nullptr);
        EXPECT(room.hasMessage());
    }
}

void looksAtAnything(CFaceDetectHaar *haar) {
    const int sizes[][2] = {{1, 1}, {1, 700}, {700, 1}, {19, 19}, {20, 20}, {31, 31}, {64, 48}, {333, 257}};
    for (auto [width, height] : sizes) {
        for (int bands : {1, 3}) {
            Canvas canvas(width, height, bands, 128);
            EXPECT(Room(16).find(haar, canvas.picture(), usual) == 0);
            canvas.noise(static_cast<unsigned>(width * height));
            for (double scale : {1.05, 1.5, 2.0}) {
                EXPECT(Room(16).find(haar, canvas.picture(), {scale, 0, 1, -1e9, 64, false}) >= 0);
            }
            EXPECT(Room(16).find(haar, canvas.picture(), {1.1, 100, 8192, 1e9, 8192, false}) == 0);
        }
    }
}

/// Checks that the faces found without OpenCV are those that it finds, window by window.
void agreesWithOpenCV(CFaceDetectHaar *haar) {
    for (int width : {500, 333, 120}) {
        Canvas canvas(width, 260, 1, 150);
        canvas.face(60, 50, 120);
        canvas.face(width - 60, 40, 140);
        for (double scale : {1.05, 1.1, 1.5}) {
            Room ours(4096), theirs(4096);
            ptrdiff_t count = ours.find(haar, canvas.picture(), {scale, 0, 20, -1e9, 0, false});
            EXPECT(count == theirs.find(haar, canvas.picture(), {scale, 0, 20, -1e9, 0, true}));
            for (ptrdiff_t i = 0; i < count; i++) {
                const CFaceDetectBox &a = ours.boxes[i], &b = theirs.boxes[i];
                EXPECT(a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height);
                EXPECT(a.confidence == b.confidence && a.windows == b.windows);
            }
        }
    }
}

void findsFaces(CFaceDetectHaar *haar) {
    for (int bands : {1, 3}) {
        Canvas canvas(500, 260, bands, 150);
        canvas.face(60, 50, 120);
        canvas.face(300, 40, 140);
        Room room(16);
        ptrdiff_t count = room.find(haar, canvas.picture(), usual);
        EXPECT(count == 2);
        for (ptrdiff_t i = 0; i < count; i++) {
            EXPECT(room.boxes[i].width > 60 && room.boxes[i].x >= 0);
            EXPECT(i == 0 || room.boxes[i - 1].confidence >= room.boxes[i].confidence);
        }
        // The surest faces are those that fit.
        Room one(1);
        EXPECT(one.find(haar, canvas.picture(), usual) == 1);
        EXPECT(one.boxes[0].confidence == room.boxes[0].confidence);
        EXPECT(Room(0).find(haar, canvas.picture(), usual) == 0);
        // Enlarged, the picture has its faces where they are.
        Room enlarged(16);
        CFaceDetectHaarSettings larger = usual;
        larger.enlarge_to = 960;
        EXPECT(enlarged.find(haar, canvas.picture(), larger) == 2);
        for (int i = 0; i < 2; i++) {
            EXPECT(enlarged.boxes[i].x + enlarged.boxes[i].width <= 500 && enlarged.boxes[i].width > 60);
        }
        // Without agreement every window is a group of its own.
        EXPECT(Room(4096).find(haar, canvas.picture(), {1.05, 0, 20, -1e9, 0, false}) >= 2);
    }
}

void refusesNonsense(CFaceDetectHaar *haar) {
    Canvas canvas(64, 64, 3, 10);
    CFaceDetectPicture good = canvas.picture();
    std::vector<CFaceDetectPicture> bad(5, good);
    bad[0].width = 0;
    bad[1].height = -1;
    bad[2].bands = 2;
    bad[3].bands = 4;
    bad[4].width = -64;
    for (const CFaceDetectPicture &picture : bad) {
        Room room(4);
        EXPECT(room.find(haar, picture, usual) == -1);
        EXPECT(room.hasMessage());
    }
    for (double scale : {1.0, 0.5, -1.0, std::nan("")}) {
        Room room(4);
        EXPECT(room.find(haar, good, {scale, 4, 30, -1e9, 0, false}) == -1);
        EXPECT(room.hasMessage());
    }
}

void looksWithNetwork(const char *path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<uint8_t> model((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    Room room(16);
    CFaceDetectYuNet *yunet =
        CFaceDetect_yunet_open(model.data(), model.size(), room.message.data(), room.message.size());
    EXPECT(yunet != nullptr);
    if (yunet == nullptr) return;
    const int side = 640;
    const CFaceDetectYuNetSettings how = {0.7, 0.3, 256};
    const int sizes[][2] = {{1, 1}, {1, side}, {side, 1}, {side, side}, {257, 3}, {500, 260}};
    for (auto [width, height] : sizes) {
        for (int bands : {1, 3}) {
            Canvas canvas(width, height, bands, 128);
            canvas.noise(static_cast<unsigned>(width + height));
            EXPECT(room.find(yunet, canvas.picture(), how) >= 0);
            // Everything is a candidate: the comparison of pairs has its limit.
            EXPECT(room.find(yunet, canvas.picture(), {0, 1, 32}) >= 0);
        }
    }
    // What is larger than an input is looked at in tiles, and a face on their seam is told of once.
    const int seam = CFaceDetect_yunet_longest_input() / 2 + 20;
    Canvas wide(2 * seam, 160, 3, 150);
    wide.face(seam - 50, 20, 100);
    EXPECT(room.find(yunet, wide.picture(), {0.4, 0.3, 0}) == 1);
    EXPECT(room.boxes[0].x > seam - 80 && room.boxes[0].x + room.boxes[0].width < seam + 80);
    EXPECT(room.boxes[0].has_landmarks == 1);
    for (const CFaceDetectPoint &point : room.boxes[0].landmarks) {
        EXPECT(point.x > seam - 50 && point.x < seam + 50 && point.y > 20 && point.y < 120);
    }
    CFaceDetect_yunet_close(yunet);
    // Less than all of a network is none.
    for (size_t size : {model.size() / 2, model.size() - 100}) {
        std::vector<uint8_t> part(model.begin(), model.begin() + static_cast<ptrdiff_t>(size));
        CFaceDetectYuNet *none =
            CFaceDetect_yunet_open(part.data(), part.size(), room.message.data(), room.message.size());
        if (none != nullptr) CFaceDetect_yunet_close(none);
    }
}

}  // namespace

void averages() {
    const int sizes[][4] = {{1, 1, 1, 1}, {1, 700, 1, 3}, {700, 1, 3, 1}, {333, 257, 100, 256}, {640, 480, 400, 300}};
    for (auto [width, height, across, down] : sizes) {
        for (int bands : {1, 3}) {
            Canvas canvas(width, height, bands, 255), small(across, down, bands, 0);
            Room room(0);
            CFaceDetectPicture picture = canvas.picture();
            EXPECT(CFaceDetect_average(
                       &picture, small.pixels.get(), across, down, room.message.data(), room.message.size()) == 0);
            for (size_t i = 0; i < small.size(); i++) EXPECT(small.pixels[i] == 255);
            for (auto [wide, high] : {std::pair(width + 1, height), {width, height + 1}, {0, 1}, {1, -1}}) {
                EXPECT(CFaceDetect_average(
                           &picture, small.pixels.get(), wide, high, room.message.data(), room.message.size()) == -1);
                EXPECT(room.hasMessage());
            }
        }
    }
}

/// What other threads may be using isn't set anew.
void setsThreadsOnce() {
    CFaceDetect_use_one_thread();
    EXPECT(cv::getNumThreads() == 1);
    cv::setNumThreads(2);
    CFaceDetect_use_one_thread();
    EXPECT(cv::getNumThreads() == 2);
    cv::setNumThreads(1);
}

int main(int count, char **arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: shim-tests CASCADE [MODEL]\n");
        return 2;
    }
    setsThreadsOnce();
    refusesFiles();
    averages();
    Room room(0);
    CFaceDetectHaar *haar =
        CFaceDetect_haar_open(arguments[1], room.message.data(), room.message.size());
    EXPECT(haar != nullptr);
    if (haar != nullptr) {
        looksAtAnything(haar);
        findsFaces(haar);
        agreesWithOpenCV(haar);
        refusesNonsense(haar);
        CFaceDetect_haar_close(haar);
    }
    if (count > 2) looksWithNetwork(arguments[2]);
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
