/// A bag of documents (RFC 8493): `data/` with all of them, a manifest of their SHA-256s, and the table of
/// ``CSVFormat`` as a tag file.
public enum BagItFormat {
    /// The folder of documents.
    public static let payload = "data"
    /// The declaration, by which a folder is known as a bag (RFC 8493, 2.1.1).
    public static let declaration = "bagit.txt"
    /// The description of the bag (RFC 8493, 2.2.2).
    public static let description = "bag-info.txt"
    /// The digests of documents (RFC 8493, 2.1.3).
    public static let manifest = "manifest-sha256.txt"
    /// The digests of all other files (RFC 8493, 2.2.1).
    public static let tagManifest = "tagmanifest-sha256.txt"
    /// The table of jobs.
    public static let table = "facefetch.csv"

    /// The contents of ``declaration``.
    public static let declarationText = Array(
        "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8
    )

    /// Returns the contents of ``description``.
    ///
    /// - Parameters:
    ///   - agent: The program that made the bag.
    ///   - date: The day on which it did, as YYYY-MM-DD.
    ///   - bytes: The bytes of all documents.
    ///   - files: The number of documents.
    public static func descriptionText(agent: String, date: String, bytes: Int64, files: Int) -> [UInt8] {
        Array(
            """
            Bag-Software-Agent: \(agent)
            Bagging-Date: \(date)
            Payload-Oxum: \(bytes).\(files)

            """.utf8
        )
    }

    /// Returns a file's line in a manifest.
    public static func line(sha256: String, path: String) -> [UInt8] {
        Array("\(sha256)  ".utf8) + encoded(path) + [0x0A]
    }

    /// Returns whether a path is written in another way than it is, which some readers don't undo.
    public static func isEncoded(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "%")) }

    /// Returns the path of a document in ``payload``; nil if it can't be in it.
    public static func path(_ job: ExportedJob) -> String? {
        let parts = job.file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
                && !part.contains(0)
        }
        return isSafe && !job.name.utf8.contains(UInt8(ascii: "/")) ? job.file : nil
    }

    /// The line ends and percent signs of a path percent-encoded, and nothing else (RFC 8493, 2.1.3).
    private static func encoded(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case 0x0A: bytes.add("%0A" as StaticString)
            case 0x0D: bytes.add("%0D" as StaticString)
            case UInt8(ascii: "%"): bytes.add("%25" as StaticString)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
