import Settings
import Synchronization
import TestSupport
import Testing

@testable import facefetchd

@Suite("The list of parts")
struct PartTests {
    private final class Deeds: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock(\.self) }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private struct Quick: Part {
        let name: String
        let deeds: Deeds
        func stop() { deeds.add("\(name) stops") }
        func finish() { deeds.add("\(name) ends") }
    }

    /// A part that stops only once the core has.
    private struct Slow: Part {
        let deeds: Deeds
        let core: AsyncStream<Void>
        var isSlowToStop: Bool { true }
        func stop() async {
            for await _ in core {}
            deeds.add("slow stops")
        }
        func finish() { deeds.add("slow ends") }
    }

    /// A part that says nothing of itself.
    private struct Silent: Part {}

    /// A part with settings, which may be unable to get ready for them.
    private struct Settled: Part {
        let name: String
        let deeds: Deeds
        var isAble = true
        func configure(_ settings: DaemonSettings) throws(StartFailure) -> Change? {
            guard isAble else { throw StartFailure(status: .badSettings, description: "\(name) can't") }
            deeds.add("\(name) is ready")
            return { deeds.add("\(name) has them") }
        }
    }

    @Test("Settings come into force in order once all parts are ready, and nowhere if one can't be")
    func configure() async throws {
        let deeds = Deeds()
        let settings = try DaemonSettings.load(flags: SettingsFlags(), environment: ["HOME": "/home/ann"])
        let (first, last) = (Settled(name: "first", deeds: deeds), Settled(name: "last", deeds: deeds))
        let parts: [any Part] = [first, Silent(), last]
        try await parts.configure(settings)()
        #expect(
            deeds.all == ["first is ready", "last is ready", "first has them", "last has them"]
        )
        let unable = Settled(name: "unable", deeds: deeds, isAble: false)
        await #expect(throws: StartFailure.self) { try await (parts + [unable]).configure(settings)() }
        #expect(deeds.all.suffix(2) == ["first is ready", "last is ready"])
    }

    @Test("Parts stop in reverse, then the core, and then they end; a slow one holds up none of that")
    func stop() async {
        let deeds = Deeds()
        let (core, end) = AsyncStream<Void>.makeStream()
        let parts: [any Part] = [
            Quick(name: "first", deeds: deeds), Slow(deeds: deeds, core: core), Silent(),
            Quick(name: "last", deeds: deeds),
        ]
        await parts.stop {
            deeds.add("core stops")
            end.finish()
        }
        #expect(
            deeds.all == [
                "last stops", "first stops", "core stops", "slow stops", "last ends", "slow ends",
                "first ends",
            ]
        )
    }
}
