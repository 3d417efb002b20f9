@testable import FaceDetection

/// A BMP file, which is read by us to its last pixel.
enum BitmapTrial {
    /// Small ones: what a large picture costs is no concern here.
    private static let limits: PictureLimits = {
        var limits = PictureLimits()
        (limits.pixels, limits.wholePictureBytes) = (1 << 14, 1 << 16)
        return limits
    }()

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        try promise(VipsLibrary.failure == nil, "libvips can't be used")
        var (parts, longest, lowest) = (0, 0, 0)
        func part(_ offset: Int, _ count: Int) -> [UInt8] {
            parts += 1
            (longest, lowest) = (max(longest, count), min(lowest, offset))
            return Array(bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
        }
        var pixels: [UInt8]?
        var size = (width: 0, height: 0)
        do throws(UnreadablePicture) {
            let image = try BitmapFile.read(part, length: bytes.count, limits: limits)
            size = (image.width, image.height)
            pixels = try image.pixels()
        } catch {
            try promise(!error.description.isEmpty, "there is no reason")
        }
        try promise(lowest == 0, "what lies before the file was asked for")
        try promise(longest <= limits.wholePictureBytes, "\(longest) bytes were asked for at once")
        // Its head, its palette, its rows, and the end.
        try promise(parts <= limits.pixels + 4, "\(bytes.count) bytes were read in \(parts) parts")
        guard let pixels else { return nil }
        let count = size.width * size.height
        try promise((1...limits.pixels).contains(count), "such a picture isn't decoded")
        try promise(pixels.count == 3 * count, "the pixels don't fill the picture")
        // Four bytes that no reader looks at.
        return String(decoding: bytes[6..<10], as: UTF8.self)
    }
}
