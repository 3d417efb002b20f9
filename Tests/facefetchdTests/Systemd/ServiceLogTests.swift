import Glibc
import Logging
import Testing

@testable import facefetchd

@Suite("What the daemon says about itself")
struct ServiceLogTests {
    /// The lines that a body writes to a pipe that may be the journal.
    private func lines(journal: Bool, _ body: (StandardErrorLog) -> Void) -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "" }
        defer { close(ends[0]) }
        var status = stat()
        fstat(ends[1], &status)
        body(
            StandardErrorLog(
                descriptor: ends[1],
                journalStream: journal ? "\(status.st_dev):\(status.st_ino)" : "1:2"
            )
        )
        close(ends[1])
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(ends[0], &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    @Test("people read the program, the level and the message")
    func plain() {
        let text = lines(journal: false) { log in
            var logger = Logger(label: "x") { _ in ServiceLogHandler(program: "facefetchd", log: log) }
            logger[metadataKey: "job"] = "3"
            logger.warning("the disk is full\nreally", metadata: ["free": "0"])
            logger.debug("nobody wants to know")
        }
        #expect(text == "facefetchd: warning: the disk is full really (free=0, job=3)\n")
    }

    @Test("the journal gets a priority in front of each line")
    func journal() {
        let text = lines(journal: true) { log in
            let logger = Logger(label: "x") { _ in ServiceLogHandler(program: "facefetchd", log: log) }
            log.level = .trace
            logger.critical("a")
            logger.error("b")
            logger.notice("c")
            logger.trace("d")
            log.write("2026-11-21T06:45:03.611Z b1 j3 0.000 paused \"a\"", level: .info)
        }
        #expect(text == "<2>a\n<3>b\n<5>c\n<7>d\n<6>2026-11-21T06:45:03.611Z b1 j3 0.000 paused \"a\"\n")
    }

    @Test("What somebody else has written stays one line, steers no terminal, and reads as what it is")
    func hostile() {
        let text = lines(journal: true) { log in
            let logger = Logger(label: "x") { _ in ServiceLogHandler(program: "facefetchd", log: log) }
            logger.notice(
                "a\u{1b}[2J\u{7}b\r\n<0>c\u{85}d\u{9b}31m\0e\u{202e}f\tg\u{2028}h",
                metadata: ["key": "\u{1b}]0;x\u{7}"],
            )
        }
        #expect(
            text == """
                <5>a\\u{1b}[2J\\u{7}b <0>c d\\u{9b}31m\\u{0}e\\u{202e}f\\tg h (key=\\u{1b}]0;x\\u{7})

                """
        )
    }

    @Test("A message of 200 kB is cut, whatever it is made of", arguments: ["x", "\u{1b}", "ä", "\n"])
    func endless(_ piece: String) {
        let text = lines(journal: true) { log in
            let logger = Logger(label: "x") { _ in ServiceLogHandler(program: "facefetchd", log: log) }
            logger.error("\(String(repeating: piece, count: 200_000))")
            logger.error("next")
        }
        #expect(text.utf8.count < 4200)
        let isCut = text.hasSuffix("…\n<3>next\n") && text.split(separator: "\n").count == 2
        #expect(isCut)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control || $0 == "\n"
        }
        #expect(isPlain)
    }
}
