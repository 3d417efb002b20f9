import CSandbox
import Foundation
import Glibc
import PaintedPictures
import TestTraits
import Testing

@Suite(.ownThread) struct ForkServerTests {
    @Test("No process is forked from one that has more than one thread")
    func threads() throws {
        // The tests themselves have many.
        #expect(CSandbox_threads() > 1)
        var socket: Int32 = -1
        #expect(CSandbox_fork_server_begin(&socket) == -1)
        #expect(errno == EBUSY)
    }

    @Test("Nothing that a detector has started is left when it is killed, also in the midst of decoding")
    func death() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("picture.jpg", Array("picture".utf8))
        let output = try folder.file("out", [])
        let detector = Process()
        detector.executableURL = try Self.program()
        detector.arguments = ["--check-sandbox", file, "--time-limit", "1000"]
        detector.standardOutput = FileHandle(forWritingAtPath: output)
        try detector.run()
        // The attempt after this one sleeps without end.
        try await until {
            try String(contentsOfFile: output, encoding: .utf8).contains("open files without end")
        }
        var family: [Int32] = []
        try await until {
            family = Self.descendants(of: detector.processIdentifier)
            return family.count == 2
        }
        kill(detector.processIdentifier, SIGKILL)
        try await until { family.allSatisfy(Self.isGone) }
        detector.waitUntilExit()
    }

    @Test("For the daemon, who decodes lets all others go first, and goes first where memory runs out")
    func priority() async throws {
        let input = Pipe()
        let detector = Process()
        detector.executableURL = try Self.program()
        detector.arguments = ["--serve"]
        detector.standardInput = input
        detector.standardOutput = FileHandle.nullDevice
        try detector.run()
        try await until { Self.descendants(of: detector.processIdentifier).count == 1 }
        let forkServer = Self.descendants(of: detector.processIdentifier)[0]
        let score = try String(contentsOfFile: "/proc/\(forkServer)/oom_score_adj", encoding: .utf8)
        #expect(score == "500\n")
        #expect(getpriority(.init(PRIO_PROCESS.rawValue), id_t(forkServer)) == 10)
        try input.fileHandleForWriting.close()
        detector.waitUntilExit()
    }

    // Who may raise limits, as root may, doesn't see the difference.
    @Test("A longer time for a picture than the processor time of a process is no obstacle")
    func longTime() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("picture.jpg", PaintedPicture(faces: 1).jpeg())
        #expect(try Detector([file, "--time-limit", "86400"]).lines[0]["face_count"] as? Int == 1)
    }

    @Test("Pictures one after the other are seen as if each were the only one")
    func apart() throws {
        let folder = try TemporaryFolder()
        let pictures = (0..<12).map { PaintedPicture(faces: $0 % 4, seed: UInt64($0)) }
        var files: [String] = []
        for (number, picture) in pictures.enumerated() {
            files.append(try folder.file("\(number).jpg", picture.jpeg()))
            // Damaged in its middle: what its decoder left must not be in the next.
            var damaged = try picture.png()
            let middle = damaged.count / 2
            damaged.replaceSubrange(middle..<middle + 16, with: [UInt8](repeating: 0, count: 16))
            files.append(try folder.file("\(number).png", damaged))
        }
        let together = try Detector(files).lines
        #expect(together.count == files.count)
        for (number, picture) in pictures.enumerated() {
            #expect(together[2 * number]["face_count"] as? Int == picture.faces.count)
            #expect(together[2 * number + 1]["outcome"] as? String == "unreadable")
        }
    }

    private static func program() throws -> URL {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "facefetch-detector")
    }

    private func until(_ condition: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !condition() {
            try #require(ContinuousClock.now < deadline)
            // Nobody tells of another's children.
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private static func status(_ process: Int32) -> [Substring] {
        let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return text?.split(separator: "\n") ?? []
    }

    private static func isGone(_ process: Int32) -> Bool {
        let lines = status(process)
        return lines.isEmpty || lines.contains { $0.hasPrefix("State:\tZ") }
    }

    private static func descendants(of ancestor: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var family: Set<Int32> = [ancestor]
        // Two generations.
        for _ in 0..<2 {
            for process in names.compactMap({ Int32($0) }) {
                let line = status(process).first { $0.hasPrefix("PPid:") }
                let parent = line?.split(separator: "\t").last.flatMap { Int32($0) }
                if let parent, family.contains(parent) { family.insert(process) }
            }
        }
        return family.subtracting([ancestor]).sorted()
    }
}
