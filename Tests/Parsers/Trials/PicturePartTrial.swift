@testable import FaceDetection

/// A file of which we read where its parts are: a JPEG XL, a JPEG 2000 or a TIFF, as the first byte says.
///
/// The four bytes behind that are of no concern to the readers.
enum PicturePartTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard bytes.count > 5 else { return nil }
        let file = Array(bytes[5...])
        var (parts, longest) = (0, 0)
        func part(_ offset: Int, _ count: Int) -> [UInt8] {
            parts += 1
            longest = max(longest, count)
            return Array(file.dropFirst(max(0, offset)).prefix(max(0, count)))
        }
        let makesSense: Bool
        switch bytes[0] % 3 {
        case 0:
            let orientation = JXLOrientation.read(part)
            try promise(orientation.map { (1...8).contains($0) } ?? true, "no picture lies so")
            // Each box is behind the one before, and 64 are passed over.
            try promise(parts <= 66 && longest <= 32, "\(parts) parts of up to \(longest) bytes were read")
            makesSense = orientation != nil
        case 1:
            let cost = JP2Cost.read(part)
            try promise((0...999_999_999_999).contains(cost), "it costs \(cost)")
            // Two for a marker, which has two bytes.
            try promise(
                parts <= file.count + 1030 && longest <= 64,
                "\(parts) parts of up to \(longest) bytes were read of \(file.count)"
            )
            makesSense = cost > 0
        default:
            let pages = TIFFPages { part($0, $1) }
            try promise(parts <= 2000, "a TIFF's pages were read in \(parts) parts")
            try promise(longest <= 1 << 20, "\(longest) bytes were asked for at once")
            if let pages {
                let place = pages.place
                try promise(pages.directories.indices.contains(place.page), "there is no such page")
                let isThere = place.subdirectory.map(pages.subdirectories.indices.contains) ?? true
                try promise(isThere, "there is no such directory")
                try promise(
                    pages.chosen.packedPictures.count <= TIFFPages.mostPieces,
                    "it has \(pages.chosen.packedPictures.count) pieces"
                )
            }
            makesSense = pages != nil
        }
        try lengths(file)
        return makesSense ? String(decoding: bytes[1..<5], as: UTF8.self) : nil
    }

    /// Checks the lengths of parts, of which the file needn't make sense.
    private static func lengths(_ file: [UInt8]) throws(BrokenPromise) {
        var (parts, longest) = (0, 0)
        do throws(UnreadablePicture) {
            try BoxLengths.check(length: file.count) { offset, count in
                parts += 1
                longest = max(longest, count)
                return Array(file.dropFirst(max(0, offset)).prefix(max(0, count)))
            }
        } catch {
            try promise(error.description.contains(" bytes, and "), "a length has another reason")
        }
        let whole = BoxLengths.whole(length: file.count) { offset, count in
            Array(file.dropFirst(max(0, offset)).prefix(max(0, count)))
        }
        try promise((0...file.count).contains(whole), "it is whole up to \(whole) of \(file.count)")
        // Each box has eight bytes.
        try promise(
            parts <= file.count / 4 + 3 && longest <= 16,
            "\(parts) parts of up to \(longest) bytes were read of \(file.count)"
        )
    }
}
