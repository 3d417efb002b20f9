extension ExportedJob {
    /// Returns the value of a key of `meta`: a string as it is, anything else as JSON; nil if there is none.
    public func metaText(of key: String) -> String? {
        guard let meta else { return nil }
        let bytes = Array(meta.utf8)
        let found = try? JSONScanner.read(bytes, in: bytes.indices) { (scanner) throws(NoJob) in
            try scanner.text(of: key)
        }
        return found?.filter { $0 != "\0" }
    }
}

extension JSONScanner {
    /// Reads the next object and returns the value of one of its members.
    fileprivate mutating func text(of key: String) throws(NoJob) -> String? {
        var text: String?
        try object { (scanner, name) throws(NoJob) in
            guard try scanner.unescaped(name.indices) == key else {
                try scanner.skip()
                return
            }
            if scanner.isNull() {
                text = nil
            } else if scanner.position < scanner.end, scanner.bytes[scanner.position] == UInt8(ascii: "\"") {
                text = try scanner.string()
            } else {
                text = scanner.text(of: try scanner.skip())
            }
        }
        return text
    }
}
