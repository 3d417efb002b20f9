@testable import JobCore
@testable import JobModel

/// A Content-Range field.
enum ContentRangeTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let field = String(decoding: bytes, as: UTF8.self)
        var head = ResponseHead(status: 206)
        head.contentRange = field
        guard let range = ContentRange(field) else {
            try promise(head.partEnd == nil, "a part that can't be read has an end")
            return nil
        }
        try promise(range.bounds != nil || range.total != nil, "it says nothing at all")
        if let bounds = range.bounds {
            try promise(bounds.lowerBound >= 0, "it begins before the first byte")
            try promise(
                range.total.map { bounds.upperBound < $0 } ?? true,
                "it ends past the end of the file"
            )
        }
        try promise(range.total ?? 0 >= 0, "the file has less than no bytes")
        try promise(ContentRange(Self.text(range)) == range, "it isn't the same after it was written again")
        try promise(head.partEnd == range.bounds.map { $0.upperBound + 1 }, "its end isn't the part's")
        return range.total.map { "\($0)" }
    }

    private static func text(_ range: ContentRange) -> String {
        let bounds = range.bounds.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        return "bytes \(bounds)/\(range.total.map { "\($0)" } ?? "*")"
    }
}
