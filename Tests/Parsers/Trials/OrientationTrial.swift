@testable import FaceDetection

/// A file whose orientation is read by us: where the first byte is even a HEIC or AVIF picture, otherwise a PNG.
///
/// The four bytes behind that are of no concern to the readers.
enum OrientationTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard bytes.count > 5 else { return nil }
        let isHEIF = bytes[0] & 1 == 0
        let file = Array(bytes[5...])
        var (parts, longest) = (0, 0)
        func part(_ offset: Int, _ count: Int) -> [UInt8] {
            parts += 1
            longest = max(longest, count)
            return Array(file.dropFirst(max(0, offset)).prefix(count))
        }
        let orientation = isHEIF ? HEIFOrientation.read(part) : PNGOrientation.read(part)
        // Each part lies behind the one before it; the last may begin behind the end.
        try promise(parts <= file.count / 8 + 2, "\(file.count) bytes were read in \(parts) parts")
        try promise(longest <= 4 << 20, "\(longest) bytes were asked for at once")
        if isHEIF {
            let direct = HEIFOrientation.orientation(inMetadata: file[...])
            try promise(direct.map { (1...8).contains($0) } ?? true, "no picture lies so")
        } else {
            let direct = PNGOrientation.orientation(in: file)
            try promise(direct.map { (2...8).contains($0) } ?? true, "no picture lies so")
        }
        guard let orientation else { return nil }
        try promise((1...8).contains(orientation), "no picture lies so")
        return String(decoding: bytes[1..<5], as: UTF8.self)
    }
}
