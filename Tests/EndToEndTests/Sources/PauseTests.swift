import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what is asked of a source while it waits for a page.
struct PauseTests {
    /// A list whose second page hangs at its first request.
    private func hangingList(_ gate: OriginGate) throws -> ListOrigin {
        let list = try ListOrigin(count: 35)
        list.answer { [weak list] request, page in
            guard page == 2, let list else { return nil }
            let isFirst = list.origin.requests("/list").count { $0.target == request.target } == 1
            return isFirst ? list.honest(2).held(by: gate) : nil
        }
        return list
    }

    @Test("A pause gives up the page under way, which is asked for again when the source goes on")
    func pause() async throws {
        let gate = OriginGate()
        let list = try hangingList(gate)
        defer {
            gate.open()
            list.origin.stop()
        }
        let installation = try Installation()
        let daemon = try await installation.startDaemon(environment: Installation.plain)
        try await installation.addSource(list.recipe())
        await gate.reached()
        let before = try await installation.source()
        let begun = ContinuousClock.now
        #expect(try await installation.facefetch("source", "pause", "list").status == 0)
        // A page may take two minutes.
        #expect(ContinuousClock.now - begun < .seconds(30))
        let paused = try await installation.source()
        #expect(paused.state.code == .paused && paused.pages == 1 && paused.lastError == nil)
        #expect(paused.walk == before.walk)
        #expect(try await installation.facefetch("source", "resume", "list").status == 0)
        let end = try #require(try await installation.source { $0.state.code == .ended })
        #expect(end.new == 35 && end.pages == 4)
        #expect(list.origin.requests("/list").count { $0.target.contains("page=2") } == 2)
        #expect(await daemon.stop() == 0)
    }

    @Test("Neither a removal nor another recipe waits for the page under way")
    func changes() async throws {
        for command in ["apply", "remove"] {
            let gate = OriginGate()
            let list = try hangingList(gate)
            defer {
                gate.open()
                list.origin.stop()
            }
            let installation = try Installation()
            let daemon = try await installation.startDaemon(environment: Installation.plain)
            try await installation.addSource(list.recipe())
            await gate.reached()
            let begun = ContinuousClock.now
            if command == "remove" {
                #expect(try await installation.facefetch("source", "remove", "list").status == 0)
            } else {
                let other = Array(list.recipe(more: "priority: 5").utf8)
                let file = try installation.directory.write(other, to: "other.yaml")
                #expect(try await installation.facefetch("source", "apply", file).status == 0)
                let end = try #require(try await installation.source { $0.state.code == .ended })
                #expect(end.new == 35)
            }
            #expect(ContinuousClock.now - begun < .seconds(60))
            #expect(await daemon.stop() == 0)
        }
    }
}
