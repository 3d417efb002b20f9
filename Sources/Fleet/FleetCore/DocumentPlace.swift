import Vocabulary

/// The place for the documents of a fleet.
public enum DocumentPlace: Hashable, Sendable {
    /// With the daemon that fetched them, on the node of this name.
    case local(node: String)
    /// In a folder that all nodes have under this path, and their daemons' documents directories in it.
    case shared(folder: String)
    /// In a bucket, below a prefix of their keys, which is empty or ends in a slash.
    case bucket(String, prefix: String)

    /// Returns the address under which a document is recorded; nil if it can't be in this place.
    public func address(of ending: FleetEnding) -> String? {
        guard let path = ending.path else { return nil }
        switch self {
        case .local(let node): return "file://\(Self.encoded(node))\(Self.encoded(path))"
        case .shared(let folder):
            let isInside = path.hasPrefix(folder == "/" ? folder : folder + "/")
            return isInside ? path : nil
        case .bucket(let bucket, _): return key(of: ending).map { "s3://\(bucket)/\($0)" }
        }
    }

    /// Percent-encodes what can't stand in a URI's path (RFC 3986, 2.3).
    private static func encoded(_ text: String) -> String { PercentEncoding.encode(text, keeping: "/") }

    /// Returns the key of a document in the bucket; nil if there is no bucket, or no document.
    ///
    /// It is made of the content's SHA-256: so to upload a document twice does no harm, and no name needs to be
    /// escaped. The extension is the name's, if it is a plain one.
    public func key(of ending: FleetEnding) -> String? {
        guard case .bucket(_, let prefix) = self, let path = ending.path, let sha256 = ending.sha256,
            sha256.utf8.count == 64
        else { return nil }
        let name = path.split(separator: "/").last ?? ""
        var suffix = ""
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let word = name[dot...].dropFirst().lowercased()
            let isPlain = word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            if isPlain, (1...8).contains(word.utf8.count) { suffix = "." + word }
        }
        return "\(prefix)sha256/\(sha256.prefix(2))/\(sha256.dropFirst(2).prefix(2))/\(sha256)\(suffix)"
    }

    /// True if the daemon's own copy stays when the document has been recorded.
    public var keepsLocalCopy: Bool { if case .bucket = self { false } else { true } }
}
