/// A file as an honest server knows it; its answers can then be bent.
public struct OriginFile: Sendable {
    /// The file's bytes.
    public var body: OriginBody
    /// Content-Type.
    public var type: String? = "image/jpeg"
    /// ETag, quotes included, `W/` where it is weak.
    public var entityTag: String?
    /// Last-Modified.
    public var lastModified: String?
    /// Date.
    public var date: String? = "Fri, 21 Nov 2025 06:45:03 GMT"

    /// A file of given bytes, with a strong tag unless told otherwise.
    public init(_ bytes: [UInt8], entityTag: String? = "\"v1\"", lastModified: String? = nil) {
        body = .bytes(bytes)
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// A file whose bytes a seed decides.
    public init(seed: UInt64, count: Int, entityTag: String? = "\"v1\"", lastModified: String? = nil) {
        self.init(
            OriginContent.bytes(seed: seed, count: count),
            entityTag: entityTag,
            lastModified: lastModified
        )
    }

    /// A file that lies on the disk.
    public init(path: String, count: Int, entityTag: String?, lastModified: String?, type: String?) {
        body = .file(path: path, offset: 0, count: count)
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.type = type
    }

    /// The bytes of a file in memory.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    /// Returns an honest server's answer: Range and If-Range as RFC 9110 §13 and §14 have them.
    public func answer(to request: OriginRequest) -> OriginAnswer {
        guard let range = request.range, isUnchanged(by: request.header("If-Range")) else { return whole }
        return part(from: range.first, to: range.last)
    }

    /// The file, as if no range had been asked for.
    public var whole: OriginAnswer { answer(200, body) }

    /// The part from one byte to another, or the end, as if no condition had been set.
    public func part(from first: Int, to last: Int? = nil) -> OriginAnswer {
        guard first < body.count else {
            return answer(416, .bytes([])).header("Content-Range", "bytes */\(body.count)")
        }
        let last = min(last ?? body.count - 1, body.count - 1)
        return answer(206, body.part(first..<last + 1))
            .header("Content-Range", "bytes \(first)-\(last)/\(body.count)")
    }

    /// §13.1.5: a strong tag, or the very date.
    private func isUnchanged(by condition: String?) -> Bool {
        guard let condition else { return true }
        return condition.hasPrefix("\"") ? condition == entityTag : condition == lastModified
    }

    private func answer(_ status: Int, _ body: OriginBody) -> OriginAnswer {
        var answer = OriginAnswer(status)
        answer.body = body
        let fields = [
            ("Content-Type", type), ("ETag", entityTag), ("Last-Modified", lastModified), ("Date", date),
            ("Accept-Ranges", "bytes"),
        ]
        for (name, value) in fields { answer = answer.header(name, value) }
        return answer
    }
}
