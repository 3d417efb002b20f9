/// The format of a picture in a report, by the first bytes of its file.
///
/// Its words are part of fingerprints, which stay the same over versions: so they are not those of other enums, to
/// which formats are added, and none of what the daemon decides goes by them.
public enum ReportedFormat: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, tiff, heif, avif, jxl, bmp, svg, other

    /// The number of bytes at the beginning that are looked at.
    static let headLength = 16

    /// Finds the format by a file's first bytes (the formats' own magic numbers).
    public init(head: [UInt8]) {
        func begins(_ bytes: [UInt8], at index: Int = 0) -> Bool {
            head.dropFirst(index).starts(with: bytes)
        }
        func says(_ text: String, at index: Int = 0) -> Bool { begins(Array(text.utf8), at: index) }
        self =
            if begins([0xFF, 0xD8, 0xFF]) {
                .jpeg
            } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                .png
            } else if says("GIF8") {
                .gif
            } else if says("RIFF"), says("WEBP", at: 8) {
                .webp
            } else if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) {
                .tiff
            } else if says("ftypavi", at: 4) {
                .avif
            } else if says("ftyp", at: 4) {
                .heif
            } else if begins([0xFF, 0x0A]) || says("JXL ", at: 4) {
                .jxl
            } else if says("BM") {
                .bmp
            } else if says("<?xml") || says("<svg") {
                .svg
            } else {
                .other
            }
    }
}
