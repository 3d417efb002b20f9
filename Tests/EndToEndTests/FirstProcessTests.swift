import ControlAPI
import Foundation
import Glibc
import PaintedPictures
import TestSupport
import Testing

/// Ways to make a program the first process, as in a container without an init.
private enum Container {
    static let words = ["--pid", "--fork", "--mount-proc", "--kill-child"]
    static let program = Shell.find("unshare")
    static let isPossible: Bool = {
        guard let program else { return false }
        return (try? Shell.run([program] + words + ["true"]))?.status == 0
    }()
}

@Suite(.serialized, .enabled(if: Container.isPossible, "only root may have a first process of its own"))
struct FirstProcessTests {
    @Test("What its killed detectors leave behind is taken note of", .timeLimit(.minutes(2)))
    func orphans() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let installation = try Installation()
        let unshare = try #require(Container.program)
        let wrapper = try Program(
            unshare,
            Container.words + [Program.directory + "/facefetchd"] + installation.flags
        )
        try #require(await wrapper.errorLine(containing: "ready:") != nil)
        let daemon = try #require(Self.children(of: wrapper.id).first).id
        for number in 1...4 {
            let picture = PaintedPicture(faces: 1, seed: UInt64(number))
            origin.serve("/\(number).jpg", OriginFile(try picture.jpeg()))
            let url = origin.url("/\(number).jpg")
            let added = try await installation.facefetch("add", "--wait", "--json", url)
            #expect(try installation.jobs(added).first?.detection?.faceCount == 1)
            let detector = try #require(Self.children(of: daemon).first { !$0.hasEnded })
            let forkServer = try #require(Self.children(of: detector.id).first)
            #expect(forkServer.name == "fork-server")
            kill(detector.id, SIGKILL)
            // The next one is started, and the one before taken note of, once this one has gone.
            try await until { !Self.exists(detector.id) }
        }
        try await until { Self.children(of: daemon).filter(\.hasEnded).count <= 1 }
        kill(daemon, SIGTERM)
        #expect(await wrapper.status == 0)
    }

    private struct Child {
        var id: Int32
        var name: String
        /// True if nobody has taken note of its end.
        var hasEnded: Bool
    }

    private static func children(of parent: Int32) -> [Child] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let id = Int32(name),
                let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
                let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")")
            else { return nil }
            // proc(5): the state and the parent follow the name.
            let rest = text[end...].split(separator: " ")
            guard rest.count > 2, Int32(rest[2]) == parent else { return nil }
            return Child(id: id, name: String(text[start..<end].dropFirst()), hasEnded: rest[1] == "Z")
        }
    }

    private static func exists(_ process: Int32) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }

    private func until(_ condition: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < deadline)
            // Nobody tells of another's children.
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
