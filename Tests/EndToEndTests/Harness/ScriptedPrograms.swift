import Foundation
import TestSupport

/// The real daemon beside a detector that does what a test tells it to.
enum ScriptedPrograms {
    /// A folder with the real daemon and a detector that is a script, which begins with a request in its hands.
    static func make(_ script: String, in directory: TemporaryDirectory) throws -> String {
        let folder = directory.path("programs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A copy: the daemon looks beside its own file for its detector, and follows links to it.
        try Executable.copy(Program.directory + "/facefetchd", to: folder + "/facefetchd")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/facefetch-lister",
            withDestinationPath: Program.directory + "/facefetch-lister"
        )
        let greeting = #"{"version":3,"engines":[{"name":"haar","parameters":"scripted"}]}"#
        let prelude = """
            #!/bin/sh
            frame() {
                printf "$(printf '\\\\%03o' 0 0 $((${#1} >> 8)) $((${#1} & 255)))"
                printf %s "$1"
            }
            echo start >> '\(folder)/starts'
            frame '\(greeting)'
            length=$(dd bs=1 count=4 2>/dev/null | od -An -tu4 --endian=big | tr -d ' ')
            [ "$length" ] || exit 0
            echo look >> '\(folder)/looks'
            request=$(dd bs=1 count=$length 2>/dev/null)
            id=${request#*\\"id\\":}
            id=${id%%[,\\}]*}
            answer="\\"id\\":$id,\\"outcome\\":\\"counted\\",\\"engine\\":\\"haar\\",\\"parameters\\":\\"scripted\\""

            """
        try Executable.write(prelude + script, to: folder + "/facefetch-detector")
        return folder
    }

    /// A folder with the real daemon and a page reader that is a script, which answers each page with its
    /// frames (`frame KIND JSON`).
    static func make(lister script: String, in directory: TemporaryDirectory) throws -> String {
        let folder = try directory.directory("programs")
        try Executable.copy(Program.directory + "/facefetchd", to: folder + "/facefetchd")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/facefetch-detector",
            withDestinationPath: Program.directory + "/facefetch-detector"
        )
        // Four bytes of length, a kind, eight bytes of id, then JSON.
        let prelude = #"""
            #!/bin/sh
            id=$(mktemp '\#(folder)/id.XXXXXX')
            read_frame() {
                length=$(dd bs=1 count=4 2>/dev/null | od -An -tu4 --endian=big | tr -d ' ')
                [ "$length" ] || exit 0
                dd bs=1 count=1 of=/dev/null 2>/dev/null
                dd bs=1 count=8 of="$id" 2>/dev/null
                dd bs=1 count=$((length - 9)) of=/dev/null 2>/dev/null
            }
            frame() {
                size=$((${#2} + 9))
                printf "$(printf '\\%03o' 0 0 $((size >> 8)) $((size & 255)))"
                printf %s "$1"
                cat "$id"
                printf %s "$2"
            }
            read_frame
            frame G '{"version":1,"problems":[]}'
            while read_frame; do

            """#
        try Executable.write(prelude + script + "\ndone\n", to: folder + "/facefetch-lister")
        return folder
    }
}
