import ControlAPI
import Foundation
import TestSupport
import Testing
import Vocabulary

@Suite("facefetch add --wait --notify")
struct NotifyTests {
    /// A name as a stranger would choose it.
    private static let name = "-u<b>&.jpg"

    /// Runs the command at a daemon whose only job ends at once, with a name of a stranger's choice.
    private func run(
        job: JobJSON,
        kind: APIWord<EventWord>,
        environment: [String: String]
    ) async throws -> ClientProcess.Result {
        let daemon = try ScriptedDaemon { request in
            switch (request.method, request.path) {
            case ("POST", _): .json(Samples.batch([1]), status: 201)
            case (_, "/v1/events"):
                .events([Samples.piece(Samples.event(1, kind, "the end"))], then: .staysOpen)
            default: .json(Samples.page([job]))
            }
        }
        return try await ClientProcess.run(
            ["add", "--wait", "--notify", "http://h/a.jpg", "--socket", daemon.socketPath],
            environment: environment
        )
    }

    private var failed: JobJSON {
        var job = Samples.job(1, state: "failed", name: Self.name)
        job.error = .init(code: "http_404", message: "no")
        return job
    }

    @Test("notify-send gets one text for each of its two places, and the exit status stays that of the batch")
    func arguments() async throws {
        let directory = try TemporaryDirectory()
        try Executable.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.arguments\"\n",
            to: directory.path("notify-send")
        )
        let environment = [
            "PATH": directory.path + ":/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        ]
        let result = try await run(job: failed, kind: "failed", environment: environment)
        #expect(result.status == 1 && !result.errors.contains("No notification"), "\(result.errors)")
        let given = String(decoding: try directory.read("notify-send.arguments"), as: UTF8.self)
        #expect(
            given == """
                --app-name=facefetch
                --icon=image-x-generic
                --
                Batch b1 ended: 1 file
                0 done, with 0 faces; 1 did not end well, first &quot;-u&lt;b&gt;&amp;.jpg&quot;: http_404

                """
        )
    }

    @Test("Without a bus, the tool, or its success one line says so, and the exit status stays")
    func lacking() async throws {
        let directory = try TemporaryDirectory()
        try Executable.write("#!/bin/sh\necho much >&2\nexit 7\n", to: directory.path("notify-send"))
        let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"]
        let rows: [([String: String], String)] = [
            ([:], "there is no session bus here (DBUS_SESSION_BUS_ADDRESS)"),
            (["DBUS_SESSION_BUS_ADDRESS": ""], "there is no session bus here (DBUS_SESSION_BUS_ADDRESS)"),
            (["XDG_RUNTIME_DIR": directory.path], "there is no session bus here (DBUS_SESSION_BUS_ADDRESS)"),
            (
                bus.merging(["PATH": "/nowhere"]) { $1 },
                "notify-send is not installed (Debian has it in libnotify-bin)"
            ),
            (bus.merging(["PATH": directory.path]) { $1 }, "notify-send ended with status 7"),
        ]
        for (environment, reason) in rows {
            let result = try await run(
                job: Samples.job(1),
                kind: "detection_finished",
                environment: environment
            )
            #expect(result.status == 0)
            #expect(result.errors == "facefetch: No notification is shown: \(reason).\n")
        }
    }

    @Test("Without --wait it is refused, and nothing is added")
    func withoutWait() async throws {
        let daemon = try ScriptedDaemon { _ in .json(Samples.batch([1]), status: 201) }
        let result = try await ClientProcess.run([
            "add", "--notify", "http://h/a.jpg", "--socket", daemon.socketPath,
        ])
        #expect(result.status == 2 && daemon.requests.isEmpty)
        #expect(result.errors.contains("--notify tells of the end that --wait waits for: add --wait."))
    }

    /// The real programs: a bus, which starts a desktop's part, and what speaks to it.
    private static let bus = Shell.find("dbus-daemon").flatMap { Shell.find("notify-send") == nil ? nil : $0 }
    private static let hasDesktop =
        bus != nil && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbusmock")

    /// A session bus of its own, which starts the services of a folder.
    private static func startBus(in directory: TemporaryDirectory) throws -> ChildProcess {
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(directory.path("bus"))</listen>
            <servicedir>\(directory.path("services"))</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """
        try directory.write(Array(configuration.utf8), to: "bus.conf")
        return try ChildProcess(
            try #require(bus),
            ["--config-file=" + directory.path("bus.conf"), "--nofork"]
        )
    }

    @Test(
        "On a bus without a desktop it says that there may be none, and the exit status stays",
        .enabled(if: bus != nil, "needs dbus and libnotify-bin")
    )
    func withoutDesktop() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.directory("services")
        let bus = try Self.startBus(in: directory)
        defer { bus.stop() }
        #expect(await directory.appears("bus"))
        let result = try await run(
            job: Samples.job(1),
            kind: "detection_finished",
            environment: ["XDG_RUNTIME_DIR": directory.path]
        )
        #expect(result.status == 0)
        let reason = "notify-send ended with status 1, as it does where no desktop is on the session bus"
        #expect(result.errors == "facefetch: No notification is shown: \(reason).\n")
    }

    @Test(
        "A desktop gets it over the session bus, with nothing in it that is markup",
        .enabled(if: hasDesktop, "needs dbus, libnotify-bin and python3-dbusmock")
    )
    func desktop() async throws {
        let directory = try TemporaryDirectory()
        _ = try directory.directory("services")
        let service = """
            [D-BUS Service]
            Name=org.freedesktop.Notifications
            Exec=/usr/bin/python3 -m dbusmock --session --logfile \(directory.path("log")) --template notification_daemon

            """
        try directory.write(Array(service.utf8), to: "services/desktop.service")
        let bus = try Self.startBus(in: directory)
        defer { bus.stop() }
        #expect(await directory.appears("bus"))
        let result = try await run(
            job: failed,
            kind: "failed",
            environment: ["XDG_RUNTIME_DIR": directory.path]
        )
        #expect(result.status == 1 && !result.errors.contains("No notification"), "\(result.errors)")
        let log = String(decoding: try directory.read("log"), as: UTF8.self)
        let call = try #require(log.split(separator: "\n").first { $0.contains(" Notify ") })
        #expect(call.contains("Batch b1 ended: 1 file"), "\(call)")
        #expect(call.contains("&quot;-u&lt;b&gt;&amp;.jpg&quot;") && !call.contains("<b>"), "\(call)")
    }
}
