@testable import FaceDetection

/// A picture's colour profile, of which we read curves and colours.
enum ProfileTrial {
    /// Black, white, red, green, blue, and something between.
    private static let pixels: [UInt8] = [
        0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 100, 200,
    ]

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let profile = MatrixProfile(bytes) else { return nil }
        let colours = profile.converted(pixels)
        try promise(colours.count == pixels.count, "a picture has another size in other colours")
        try promise(profile.converted(pixels) == colours, "the same colours are others the next time")
        // The program that is to read the profile, says its header.
        return String(decoding: bytes[4..<8], as: UTF8.self)
    }
}
