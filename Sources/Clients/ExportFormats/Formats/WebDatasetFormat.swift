/// Shards for WebDataset: tar archives in which a picture and its JSON follow each other with the same key.
///
/// https://github.com/webdataset/webdataset: the key ends at the first dot of a name, so it is the job's
/// id and not the document's name. The archives are POSIX ustar.
public enum WebDatasetFormat {
    /// The size of an archive's blocks in bytes.
    public static let block = 512
    /// The longest file that an archive can hold, in bytes: eleven octal digits.
    public static let maximumLength: Int64 = (1 << 33) - 1
    /// The end of an archive.
    public static let end = [UInt8](repeating: 0, count: 2 * block)

    /// Returns the name of a shard; the first has the number 0.
    public static func shard(_ number: Int) -> String { "shard-" + padded(Int64(number), to: 6) + ".tar" }

    /// Returns the names of a picture and its JSON in a shard.
    public static func names(_ job: ExportedJob) -> (picture: String, json: String) {
        let key = padded(job.id, to: 8)
        return (key + "." + suffix(job), key + ".json")
    }

    /// Returns the header of a file in an archive.
    ///
    /// - Parameters:
    ///   - name: The file's name, of at most 100 bytes.
    ///   - length: The file's length in bytes, without padding.
    ///   - time: When the file was changed, in seconds since 1970.
    public static func header(name: String, length: Int64, time: Int64) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        put(Array(name.utf8.prefix(100)), at: 0, in: &header)
        put(octal(0o644, digits: 7), at: 100, in: &header)
        put(octal(0, digits: 7), at: 108, in: &header)
        put(octal(0, digits: 7), at: 116, in: &header)
        put(octal(length, digits: 11), at: 124, in: &header)
        put(octal(max(0, time), digits: 11), at: 136, in: &header)
        // The checksum is computed as if it consisted of blanks.
        put([UInt8](repeating: 0x20, count: 8), at: 148, in: &header)
        put(Array("0".utf8), at: 156, in: &header)
        put(Array("ustar\u{0}00".utf8), at: 257, in: &header)
        let sum = header.reduce(Int64(0)) { $0 + Int64($1) }
        put(octal(sum, digits: 6) + [0, 0x20], at: 148, in: &header)
        return header
    }

    /// Returns the bytes that fill up the last block of a file.
    public static func padding(after length: Int64) -> [UInt8] {
        let rest = Int(length % Int64(block))
        return [UInt8](repeating: 0, count: rest == 0 ? 0 : block - rest)
    }

    private static func suffix(_ job: ExportedJob) -> String { knownSuffix(job) ?? "bin" }

    /// Returns the extension for a document's format, by which readers choose a decoder, whatever its name; nil
    /// where the format isn't known.
    static func knownSuffix(_ job: ExportedJob) -> String? {
        switch job.detection?.format {
        case "jpeg": "jpg"
        case "heif": "heic"
        case "tiff": "tif"
        // What kind of file it is only its name says.
        case "raw": nil
        case .some(let format) where !format.isEmpty && format.utf8.allSatisfy(Self.isPlain): format
        default: nil
        }
    }

    /// Returns whether a byte is a small letter or a digit, as all are of the formats that there are.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    private static func padded(_ number: Int64, to digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func octal(_ number: Int64, digits: Int) -> [UInt8] {
        let text = String(number, radix: 8)
        return Array((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8)
    }

    private static func put(_ bytes: [UInt8], at place: Int, in header: inout [UInt8]) {
        header.replaceSubrange(place..<place + bytes.count, with: bytes)
    }
}
