import Digests
import Foundation
import TestSupport

/// Files that an origin serves while the daemon is being killed: between 1 KB and 64 MB, or
/// what is asked for, small ones as likely as large ones, each with bytes of its own.
///
/// The first two are so large that they come in segments.
struct TorturedFiles {
    struct File {
        var name: String
        var count: Int
        var sha256: String

        /// True if it may come in segments.
        var isLarge: Bool { count > segmentedSize }
    }

    /// Files that are larger come in segments.
    private static let segmentedSize = 32 * 1024 * 1024
    /// The number of files that are large whatever chance says, and their sizes.
    private static let large = (count: 2, sizes: segmentedSize + 1...48 * 1024 * 1024)
    private static let smallest = 1024
    private static let blockSize = 64 * 1024

    let files: [File]
    private let directory: TemporaryDirectory

    /// - Parameter largest: how many bytes all but the first two have at the most.
    init(
        count: Int,
        largest: Int = 64 * 1024 * 1024,
        using generator: inout SeededGenerator
    ) throws {
        let logarithms = log(Double(Self.smallest))...log(Double(max(Self.smallest, largest)))
        directory = try TemporaryDirectory()
        var files: [File] = []
        let block = OriginContent.bytes(seed: generator.next(), count: Self.blockSize)
        for number in 0..<count {
            let size =
                number < Self.large.count
                ? Int.random(in: Self.large.sizes, using: &generator)
                : Int(exp(Double.random(in: logarithms, using: &generator)))
            let name = "f\(number).jpg"
            let sha256 = try Self.write(size, number: number, block: block, to: directory.path(name))
            files.append(File(name: name, count: size, sha256: sha256))
        }
        self.files = files
    }

    /// The number of bytes that they have together.
    var totalCount: Int { files.reduce(0) { $0 + $1.count } }

    /// A file as an honest server knows it.
    func origin(_ file: File) -> OriginFile {
        OriginFile(
            path: directory.path(file.name),
            count: file.count,
            entityTag: "\"\(file.name)\"",
            lastModified: nil,
            type: "image/jpeg"
        )
    }

    /// The file that a document was made from, by the name of the document: `f7.jpg`, or `f7 (2).jpg`.
    func source(ofDocument name: String) -> File? {
        guard name.hasPrefix("f"), let number = Int(name.dropFirst().prefix { $0.isNumber }) else {
            return nil
        }
        return files.indices.contains(number) ? files[number] : nil
    }

    /// SHA-256 of a file, in lower-case hexadecimal.
    static func sha256(ofFileAt path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { hash.update(data: bytes) }
        return hex(hash)
    }

    /// The same block over and over, with the file's number and the block's stamped into it, so
    /// that bytes of another file or from another place show.
    private static func write(_ count: Int, number: Int, block: [UInt8], to path: String) throws -> String {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        var written = 0
        var bytes = Data(block)
        while written < count {
            let stamp = UInt64(number) << 32 | UInt64(written / blockSize)
            bytes.replaceSubrange(0..<8, with: withUnsafeBytes(of: stamp) { Data($0) })
            let piece = bytes.prefix(count - written)
            hash.update(data: piece)
            try file.write(contentsOf: piece)
            written += piece.count
        }
        return hex(hash)
    }

    private static func hex(_ hash: SHA256) -> String {
        hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
