extension JobURL {
    /// Reads the URL of an object in a bucket, `s3://BUCKET/KEY`, its key strictly percent-encoded.
    ///
    /// Only sources have such jobs: who fetches one is told the request that it stands for when it begins.
    public init(object given: String) throws(Refusal) {
        guard given.utf8.count <= Self.maximumLength else { throw .tooLong }
        let prefix = "s3://"
        guard given.hasPrefix(prefix) else { throw .unparsable }
        let rest = given.utf8.dropFirst(prefix.utf8.count)
        let name = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !name.isEmpty else { throw .noHost }
        guard name.count <= 255 else { throw .hostTooLong }
        guard rest.dropFirst(name.count).count > 1, rest.allSatisfy({ (0x21..<0x7F).contains($0) }),
            !rest.contains(where: { "?#\\\"<>^`{|}@".utf8.contains($0) }), let bucket = String(name)
        else { throw .unparsable }
        self.init(object: given, bucket: bucket)
    }

    /// True if it is an object in a bucket, rather than a URL that can be fetched as it is.
    public var isObject: Bool { scheme == "s3" }
}
