import ControlAPI
import Foundation
import TestSupport
import TestTraits
import Testing

/// Times at which, and connections over which, the real daemon downloads nothing.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(2))) struct HoursTests {
    private let installation: Installation
    private let origin: Origin

    init() throws {
        installation = try Installation()
        origin = try Origin.start()
    }

    private func start(_ settings: String, environment: [String: String] = [:]) async throws -> Program {
        try write(settings)
        return try await installation.startDaemon(
            flags: ["--config", installation.directory.path("facefetchd.yaml")],
            environment: environment
        )
    }

    private func write(_ settings: String) throws {
        try installation.directory.write(Array(settings.utf8), to: "facefetchd.yaml")
    }

    private func status() async throws -> StatusJSON {
        let printed = try await installation.facefetch("status", "--json")
        return try JSONDecoder().decode(StatusJSON.self, from: Data(printed.output.utf8))
    }

    @Test("A timetable pauses downloads, says so everywhere, and lets them go on from where they were")
    func timetable() async throws {
        defer { origin.stop() }
        let gate = OriginGate()
        let file = OriginFile(seed: 19, count: 1_000_000)
        origin.serve("/a.jpg") { request in
            request.range == nil
                ? file.answer(to: request).held(beforeByte: 500_000, by: gate) : file.answer(to: request)
        }
        let daemon = try await start("transfer: {segments: 1}\n")
        let follower = try installation.follow()
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        #expect(await follower.outputLine(containing: "downloading \"a.jpg\", 50% done") != nil)
        // Whatever day it is, the next day brings a rate, and this one a pause.
        try write(
            """
            transfer:
              segments: 1
              time-zone: Pacific/Chatham
              timetable: 00:00 pause; Mon-Sun 23:59 1M
            """
        )
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "notice: by transfer.timetable, downloads are") != nil)
        let now = try await status()
        // For the last minute of a day, the other entry holds.
        if let hold = now.holds?.first {
            #expect(hold.kind == .known(.hours) && hold.reason.hasSuffix(" 23:59 in Pacific/Chatham"))
            #expect(hold.until?.hasSuffix(":00.000Z") == true)
            #expect(
                try await installation.facefetch("status").output.contains(
                    "Waiting     by transfer.timetable"
                )
            )
            while try await installation.facefetch("show", "1").output.contains("downloading") {}
            let shown = try await installation.facefetch("show", "1").output
            #expect(shown.contains("Held up    by transfer.timetable, downloads are paused until"))
            #expect(shown.contains("queued"))
        } else {
            #expect(now.transfers.rateLimit == 1 << 20 && now.transfers.rateLimitUntil != nil)
        }
        try write("transfer: {segments: 1}\n")
        daemon.signal(SIGHUP)
        gate.open()
        #expect(await follower.outputLine(containing: "stored \"a.jpg\"") != nil)
        follower.signal(SIGKILL)
        #expect(try await status().holds?.isEmpty == true)
        #expect(await daemon.stop() == 0)
        #expect(try installation.document("a.jpg") == file.bytes)
    }

    @Test("What can't be a timetable or a time zone is refused with the reason")
    func badSettings() async throws {
        defer { origin.stop() }
        try write(
            "transfer:\n  timetable: Mon-Fri 25:00 1M\n  time-zone: Europe/Atlantis\n  on-metered: maybe\n"
        )
        let file = installation.directory.path("facefetchd.yaml")
        let checked = try await Program.run("facefetchd", ["check-config", "--config", file])
        #expect(checked.status == 78)
        #expect(checked.errors.contains(":2: transfer.timetable: expected entries such as"))
        #expect(checked.errors.contains("\"25:00\" is not a time from 00:00 to 23:59"))
        #expect(
            checked.errors.contains(":3: transfer.time-zone: expected a time zone that the machine knows")
        )
        #expect(checked.errors.contains(":4: transfer.on-metered: expected allow, hold, not \"maybe\""))
    }

    @Test(
        "Over a metered connection nothing is downloaded until there is another",
        .enabled(if: PrivateBus.isThere, Comment(rawValue: PrivateBus.comment))
    )
    func metered() async throws {
        defer { origin.stop() }
        let file = OriginFile(seed: 20, count: 1000)
        origin.serve("/a.jpg", file)
        let bus = try PrivateBus()
        let busDaemon = try bus.start()
        defer { busDaemon.stop() }
        let manager = try bus.startNetworkManager(metered: 1)
        defer { manager.stop() }
        let daemon = try await start(
            "transfer: {on-metered: hold}\n",
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        )
        // NetworkManager is asked while the daemon begins to work.
        while try await status().holds?.isEmpty != false {}
        _ = try await installation.facefetch("add", origin.url("/a.jpg"))
        let held = try await status()
        #expect(held.holds?.first?.kind == .known(.metered) && held.holds?.first?.until == nil)
        #expect(origin.requests("/a.jpg").isEmpty)
        let follower = try installation.follow()
        try bus.setMetered(4)
        #expect(await follower.outputLine(containing: "stored \"a.jpg\"") != nil)
        follower.signal(SIGKILL)
        #expect(await daemon.errorLine(containing: "downloads go on") != nil)
        #expect(daemon.heardErrors.contains { $0.contains("by transfer.on-metered, downloads wait") })
        #expect(await daemon.stop() == 0)
    }
}
