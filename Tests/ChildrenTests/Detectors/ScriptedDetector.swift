import DetectorProtocol
import Foundation
import TestSupport

/// A detector that is a shell script, in a folder of its own, for what no honest detector does.
final class ScriptedDetector {
    let folder: String
    var executable: String { folder + "/detector" }

    /// The script finds its folder in `$here`, counts its starts in `$start` from 1,
    /// and has the functions `greet` (says that it is ready), `await_request`
    /// (returns at a request's first byte), `read_request` (reads one, and its number into `$id`),
    /// `answer` (answers it, with what is given as further fields; as another `$engine` if set), `frame` (a message of any text),
    /// and `be_honest` (becomes the real detector).
    init(_ script: String) throws {
        folder = NSTemporaryDirectory() + "facefetch-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let greeting = try DetectorFrame.encode(
            DetectorGreeting(engines: [.init(name: "haar", parameters: "scripted")])
        )
        try write("greeting", greeting)
        let prelude = """
            #!/bin/sh
            here='\(folder)'
            start=$(($(cat "$here/starts" 2>/dev/null || echo 0) + 1))
            echo $start > "$here/starts"
            echo $$ > "$here/pid"
            greet() { cat "$here/greeting"; }
            await_request() { dd bs=1 count=1 of=/dev/null 2>/dev/null; }
            read_request() {
                length=$(dd bs=1 count=4 2>/dev/null | od -An -tu4 --endian=big | tr -d ' ')
                request=$(dd bs=1 count=$length 2>/dev/null)
                id=${request#*\\"id\\":}
                id=${id%%[,\\}]*}
            }
            frame() {
                printf "$(printf '\\\\%03o' $((${#1} >> 24)) $((${#1} >> 16 & 255)) \
                    $((${#1} >> 8 & 255)) $((${#1} & 255)))"
                printf %s "$1"
            }
            answer() {
                frame "{\\"id\\":$id,\\"outcome\\":\\"${outcome-counted}\\",\\"engine\\":\\"${engine-haar}\\",\\"parameters\\":\\"${parameters-scripted}\\",${1-$empty}}"
            }
            empty='"faces":[],"width":10,"height":10,"orientation":1,"format":"jpeg","seconds":0'
            be_honest() { exec '\(try Self.realDetector())' --serve --documents "$here" "$@"; }

            """
        try Executable.write(prelude + script, to: executable)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Puts a file into the folder and gives back its path.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: folder + "/" + name))
        return folder + "/" + name
    }

    /// Waits until the script has written something to a file of its folder; false when it doesn't.
    func makes(_ name: String) async -> Bool {
        let path = folder + "/" + name
        return await FolderWatch.until(in: folder) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return (attributes?[.size] as? Int ?? 0) > 0
        }
    }

    /// The number of processes that have been started.
    var starts: Int { number("starts") ?? 0 }

    /// The process that was started last.
    var pid: Int32? { number("pid").map(Int32.init) }

    private func number(_ name: String) -> Int? {
        let text = try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// The detector that was built with these tests, beside them.
    static func realDetector() throws -> String { try program("facefetch-detector") }

    /// The program that has another answered by an older kernel.
    static func olderKernel() throws -> String { try program("older-kernel") }

    private static func program(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().path + "/" + name
    }
}
