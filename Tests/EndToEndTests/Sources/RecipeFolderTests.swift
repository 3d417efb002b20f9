import ControlAPI
import Foundation
import Glibc
import TestSupport
import Testing

/// Recipes in sources.directory, applied at the start and with each reload.
struct RecipeFolderTests {
    @Test(
        "A source whose file is gone, or names another one, is paused with the reason, until a file has it again"
    )
    func renamed() async throws {
        let list = try ListOrigin(count: 5)
        defer { list.origin.stop() }
        let installation = try Installation()
        let folder = try installation.directory.directory("sources.d")
        func put(_ name: String, as file: String) throws {
            try installation.directory.write(Array(list.recipe(name).utf8), to: "sources.d/" + file)
        }
        try put("old", as: "a.yaml")
        let environment = Installation.plain.merging(["FACEFETCH_SOURCES_DIRECTORY": folder]) { $1 }
        let daemon = try await installation.startDaemon(environment: environment)
        #expect(await daemon.errorLine(containing: "the source old is new") != nil)
        _ = try #require(try await installation.source("old") { $0.state.code == .ended && $0.new == 5 })
        // Its name is changed in the file.
        try put("new", as: "a.yaml")
        daemon.signal(SIGHUP)
        let paused = try #require(try await installation.source("old") { $0.state.code == .paused })
        #expect(
            paused.state.reason
                == "its file \(folder)/a.yaml is that of the source new now; remove old (facefetch source remove old), or give it a file again"
        )
        #expect(await daemon.errorLine(containing: "the source old is paused, for its file") != nil)
        _ = try #require(try await installation.source("new") { $0.state.code == .ended && $0.new == 5 })
        let table = try await installation.facefetch("source", "list").output
        #expect(table.contains("is that of the source new now"), "\(table)")
        // Another file has it again, and then none.
        try put("old", as: "b.yaml")
        daemon.signal(SIGHUP)
        let back = try #require(try await installation.source("old") { $0.state.code != .paused })
        #expect(back.new == 5)
        unlink(folder + "/b.yaml")
        daemon.signal(SIGHUP)
        let gone = try #require(try await installation.source("old") { $0.state.code == .paused })
        #expect(gone.state.reason == "its file \(folder)/b.yaml is gone")
        try put("old", as: "c.yaml")
        daemon.signal(SIGHUP)
        _ = try #require(try await installation.source("old") { $0.state.code == .ended })
        // What a person paused stays so.
        #expect(try await installation.facefetch("source", "pause", "old").status == 0)
        try put("third", as: "d.yaml")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "the source third is new") != nil)
        _ = try #require(try await installation.source("third") { $0.state.code == .ended })
        #expect(try await installation.source("old").state.code == .paused)
        #expect(await daemon.stop() == 0)
    }
}
