import Foundation
import Logging
import SourceCore
import TestSupport

@testable import Children

/// A lister that is a shell script, for what no honest lister does.
final class ScriptedLister {
    let pool: ListerPool
    private let folder: TemporaryDirectory

    /// The script counts its starts in `$start`, from 1, and has the functions `read_frame` (reads one, and
    /// takes its id for the answer's), `frame` (a message of any kind, by its letter, and any text) and
    /// `greet`; it begins when it was given its program.
    init(_ script: String) throws {
        folder = try TemporaryDirectory()
        let here = folder.path
        let prelude = """
            #!/bin/sh
            here='\(here)'
            start=$(($(cat "$here/starts" 2>/dev/null || echo 0) + 1))
            echo $start > "$here/starts"
            \(Self.functions)
            read_frame

            """
        try Executable.write(prelude + script, to: here + "/lister")
        pool = ListerPool(
            configuration: ListerPoolConfiguration(executable: here + "/lister", pages: here),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// The number of processes that have been started.
    var starts: Int {
        let text = try? String(contentsOfFile: folder.path("starts"), encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
    }

    /// Has a page of JSON read.
    func read() async -> Result<ListerAnswer, ListerFailure> {
        await pool.read(
            ListerRequest(id: 0, path: folder.path("page"), url: "https://h/"),
            by: ListerProgram(kind: "json"),
            for: .source(1)
        )
    }

    /// Frames in the shell: four bytes of length, a kind, eight bytes of id, then JSON.
    static let functions = #"""
        read_frame() {
            length=$(dd bs=1 count=4 2>/dev/null | od -An -tu4 --endian=big | tr -d ' ')
            [ "$length" ] || exit 0
            dd bs=1 count=1 of=/dev/null 2>/dev/null
            dd bs=1 count=8 of="$here/id" 2>/dev/null
            dd bs=1 count=$((length - 9)) of=/dev/null 2>/dev/null
        }
        frame() {
            size=$((${#2} + 9))
            printf "$(printf '\\%03o' $((size >> 24)) $((size >> 16 & 255)) $((size >> 8 & 255)) $((size & 255)))"
            printf %s "$1"
            cat "$here/id"
            printf %s "$2"
        }
        greet() { frame G '{"version":1,"problems":[]}'; }
        """#
}
