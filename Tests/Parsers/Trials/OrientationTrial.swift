@testable import FaceDetection

/// A file whose orientation is read by us: where the first byte is even a HEIC or AVIF picture, otherwise a PNG.
///
/// It is also read for what has to be changed of it, for the lengths that it claims, and as a TIFF. The four bytes
/// behind that are of no concern to the readers.
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
        try structures(file)
        guard let orientation else { return nil }
        try promise((1...8).contains(orientation), "no picture lies so")
        return String(decoding: bytes[1..<5], as: UTF8.self)
    }

    /// Checks what else is read of a file's structure, of which the file needn't make sense.
    private static func structures(_ file: [UInt8]) throws(BrokenPromise) {
        var (parts, longest) = (0, 0)
        func part(_ offset: Int, _ count: Int) -> [UInt8] {
            parts += 1
            longest = max(longest, count)
            return Array(file.dropFirst(max(0, offset)).prefix(count))
        }
        for patch in (try? HEIFRepair.patches(part)) ?? [] {
            let isInside = patch.offset >= 0 && patch.offset + patch.bytes.count <= file.count
            try promise(isInside, "nothing beyond the file is changed")
        }
        try? PNGLengths.check(length: file.count, part)
        // Each asks behind what the others asked for.
        try promise(parts <= 2 * (file.count / 8 + 4), "\(file.count) bytes were read in \(parts) parts")
        try promise(longest <= 4 << 20, "\(longest) bytes were asked for at once")
        parts = 0
        let pages = TIFFPages { part($0, $1) }
        try promise(parts <= 2000, "a TIFF's pages were read in \(parts) parts")
        if let place = pages?.place {
            try promise(place.page < 64 && (place.subdirectory ?? 0) < 64, "there is no such page")
        }
    }
}
