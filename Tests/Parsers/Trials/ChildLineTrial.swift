import Vocabulary

@testable import Children
@testable import facefetch

/// A trial of what a child writes on standard error, and how a log and a terminal show that.
enum ChildLineTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let lines = lines(of: [bytes[...]])
        let pieces = Pieces(of: bytes)
        try promise(
            lines == Self.lines(of: pieces.all),
            "the same bytes in pieces of \(pieces.length) are other lines"
        )
        for line in lines {
            try promise(
                !line.isEmpty && line.utf8.count <= ChildLines.longest,
                "a line has \(line.utf8.count) bytes"
            )
            for shown in [line.escapedForLog, line.safeForTerminal] {
                try promise(
                    shown.unicodeScalars.allSatisfy { !$0.steersTerminal },
                    "a line steers who reads it"
                )
            }
            try promise(line.escapedForLog.escapedForLog == line.escapedForLog, "it is escaped twice")
            for width in [0, 1, 5, 20] {
                let cuts = [line.safeForTerminal.cut(to: width), line.safeForTerminal.cutInMiddle(to: width)]
                for cut in cuts {
                    try promise(cut.columns <= width, "\(cut.columns) columns are more than \(width)")
                }
            }
            for limit in [3, 10, 100] {
                let short = line.limited(toBytes: limit)
                try promise(short.utf8.count <= limit, "\(short.utf8.count) bytes are more than \(limit)")
            }
        }
        return lines.first
    }

    private static func lines(of pieces: [ArraySlice<UInt8>]) -> [String] {
        var reader = ChildLines()
        var lines: [String] = []
        for piece in pieces { reader.append(piece) { lines.append($0) } }
        reader.end { lines.append($0) }
        return lines
    }
}
