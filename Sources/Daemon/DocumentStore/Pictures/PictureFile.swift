import Digests
import JobModel

/// The contents of a kept picture's file: the JPEG, and a seal behind it.
///
/// Files are not synced, so after a power cut one may have its name and not its bytes. A file that is
/// damaged, that somebody else has put there, or that has another picture's name, has no right seal.
enum PictureFile {
    /// The length of the seal in bytes.
    static let sealLength = SHA256.byteCount

    /// Returns a file's contents.
    static func contents(of jpeg: [UInt8], sha256: String, _ size: PictureSize) -> [UInt8] {
        jpeg + seal(jpeg, sha256, size)
    }

    /// Returns the JPEG of a file's contents; nil if the seal isn't right.
    static func jpeg(in contents: [UInt8], sha256: String, _ size: PictureSize) -> [UInt8]? {
        guard contents.count > sealLength else { return nil }
        let jpeg = contents.dropLast(sealLength)
        guard contents.suffix(sealLength).elementsEqual(seal(jpeg, sha256, size)) else { return nil }
        return Array(jpeg)
    }

    private static func seal(
        _ jpeg: some Sequence<UInt8>,
        _ sha256: String,
        _ size: PictureSize
    ) -> [UInt8] {
        var hash = SHA256()
        // Pictures made by another version of the rules have another seal.
        hash.update(data: Array("facefetch picture 2 \(sha256) \(size.rawValue)\n".utf8))
        hash.update(data: Array(jpeg))
        return hash.finalize()
    }

    /// Returns the name of a picture's file, a directory and a file in it; nil if that isn't a SHA-256.
    static func name(_ sha256: String, _ size: PictureSize) -> (directory: String, file: String)? {
        let digits = Array(sha256.utf8)
        let isHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard digits.count == 2 * SHA256.byteCount, isHex else { return nil }
        return (String(sha256.prefix(2)), "\(sha256)-\(size.rawValue).jpg")
    }

    /// Returns whether a file's name is that of a picture, and then whether of a thumbnail.
    static func isThumb(_ name: String) -> Bool? {
        for size in PictureSize.allCases {
            let end = "-\(size.rawValue).jpg"
            guard name.hasSuffix(end) else { continue }
            return Self.name(String(name.dropLast(end.count)), size) == nil ? nil : size == .thumb
        }
        return nil
    }
}
