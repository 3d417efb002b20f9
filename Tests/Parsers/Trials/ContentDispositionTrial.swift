@testable import JobCore
@testable import JobModel

/// A Content-Disposition field, and the name that a document gets by it.
enum ContentDispositionTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let name = ContentDisposition.fileName(in: String(decoding: bytes, as: UTF8.self)) else {
            return nil
        }
        try promise(!name.isEmpty, "a name is empty")
        try checkSafety(DocumentName.sanitized(name))
        try promise(
            ContentDisposition.fileName(in: "attachment; filename*=UTF-8''\(extended(name))") == name,
            "the name isn't the same after it was written again by RFC 8187"
        )
        // In a plain name, these are codings, as to browsers.
        if name.utf8.allSatisfy({ $0 < 0x80 }), name.contains("%") || name.contains("=?") { return name }
        // By scalars: a quote with a combining mark is one character, and still a quote.
        let quoted = name.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        try promise(
            ContentDisposition.fileName(in: "inline; filename=\"\(quoted)\"") == name,
            "the name isn't the same after it was written again in quotes"
        )
        return name
    }

    /// Checks that a name can be used as it is, and so can those that come after it where it is taken.
    static func checkSafety(_ name: String) throws(BrokenPromise) {
        try promise(DocumentName.isSafe(name), "the name \(name.quotedForLog) was made safe and isn't")
        for name in [name, DocumentName.numbered(name, 2), DocumentName.numbered(name, 1_000_000)] {
            let bytes = name.utf8
            try promise(
                (1...DocumentName.maximumBytes).contains(bytes.count),
                "a name has \(bytes.count) bytes"
            )
            try promise(
                bytes.first != UInt8(ascii: ".") && !bytes.contains { $0 == 0x2F || $0 < 0x20 || $0 == 0x7F },
                "a name leads elsewhere, or hides: \(name.quotedForLog)"
            )
            try promise(
                name.quotedForLog.unicodeScalars.allSatisfy { !$0.properties.isLineBreak },
                "a name breaks its line in the log"
            )
        }
    }

    private static func extended(_ name: String) -> String {
        name.utf8.map { "%" + ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isLineBreak: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
