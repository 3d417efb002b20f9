import ControlAPI
import Foundation
import TestSupport
import Testing

/// A daemon without the program that reads pages.
struct MissingReaderTests {
    @Test("Without page readers the daemon works, and sources say what is missing and what to do")
    func missing() async throws {
        let list = try ListOrigin(count: 3)
        defer { list.origin.stop() }
        let installation = try Installation()
        // A source that is there already.
        let whole = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        _ = try #require(try await installation.source { $0.state.code == .ended })
        #expect(await whole.stop() == 0)

        let folder = installation.directory.path("programs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A copy: the daemon looks beside its own file, and follows links to it.
        let program = folder + "/facefetchd"
        try Executable.copy(Program.directory + "/facefetchd", to: program)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/facefetch-detector",
            withDestinationPath: Program.directory + "/facefetch-detector"
        )
        let checked = try await Program.run(program, ["check-config"] + installation.flags)
        #expect(checked.status == 0)
        #expect(checked.errors.hasPrefix("warning: sources can't be read: "), "\(checked.errors)")

        let daemon = try Program(program, installation.flags, environment: Installation.plain)
        try #require(await daemon.errorLine(containing: "ready:") != nil)
        let words = "\(folder)/facefetch-lister: No such file or directory; install facefetch-lister"
        // It may have been said before the daemon was ready.
        let isSaid = daemon.heardErrors.contains { $0.contains(words) }
        if !isSaid { #expect(await daemon.errorLine(containing: words) != nil) }
        _ = try await installation.facefetch("source", "poll", "list")
        let waiting = try await installation.source { $0.state.code == .waiting }
        #expect(waiting?.state.reason?.contains(words) == true, "\(waiting?.state.reason ?? "")")
        let added = try await installation.addSource(list.recipe("other"), "other")
        #expect(added.status == 1 && added.errors.contains(words), "\(added.errors)")
        let picture = list.origin.url("/picture/9.jpg")
        #expect(try await installation.facefetch("add", picture).status == 0)

        // Once it is there, a poll is enough.
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/facefetch-lister",
            withDestinationPath: Program.directory + "/facefetch-lister"
        )
        _ = try await installation.facefetch("source", "poll", "list")
        _ = try #require(try await installation.source { $0.state.code == .ended })
        #expect(await daemon.stop() == 0)
    }
}
