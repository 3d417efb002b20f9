import FoundationEssentials
import JobModel
import Testing

@testable import Settings

@Suite("Settings")
struct DaemonSettingsTests {
    /// The environment of a person.
    static let person = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"]

    private func load(
        _ yaml: String? = nil,
        flags: SettingsFlags = SettingsFlags(),
        environment: [String: String] = person,
        found: String? = nil
    ) throws -> DaemonSettings {
        func findModel() -> DaemonSettings.Detection.FoundModel? {
            found.map { .init(path: $0, name: "yunet") }
        }
        guard let yaml else { return try DaemonSettings.load(flags: flags, environment: environment) }
        let path =
            FileManager.default.temporaryDirectory.path
            + "/settings-\(UInt64.random(in: 0...UInt64.max)).yaml"
        try Data(yaml.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            return try DaemonSettings.load(
                flags: flags,
                environment: environment,
                configFile: path,
                findModel: findModel
            )
        } catch {
            // The file's name is different every time.
            throw SettingsError(
                problems: error.problems.map { problem in
                    var problem = problem
                    if problem.place.hasPrefix(path) {
                        problem.place = "FILE" + problem.place.dropFirst(path.count)
                    }
                    return problem
                }
            )
        }
    }

    private func problems(_ yaml: String?, environment: [String: String] = person) -> [String] {
        do {
            _ = try load(yaml, environment: environment)
            return []
        } catch {
            return (error as? SettingsError)?.problems.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("without anything said, everything has its safe default")
    func defaults() throws {
        let settings = try load()
        #expect(settings.transfer.concurrency == 16)
        #expect(settings.transfer.perHost == 6)
        #expect(settings.transfer.streams == 32)
        #expect(settings.transfer.segments == 4)
        #expect(settings.transfer.rateLimit == nil)
        #expect(settings.transfer.maximumSize == 4 << 30 && settings.transfer.redirects == 10)
        #expect(settings.transfer.connectTimeout == 30)
        #expect(settings.transfer.stallSpeed == 1024 && settings.transfer.stallTime == 60)
        #expect(settings.transfer.tries == 20 && settings.transfer.giveUp == 7 * 86_400)
        #expect(settings.transfer.insecureHTTP == .allow)
        #expect(settings.transfer.privateByRedirect == .refuse)
        #expect(settings.transfer.userAgent.hasPrefix("facefetch/"))
        #expect(settings.transfer.deniedNetworks.contains("169.254.0.0/16"))
        #expect(
            settings.transfer.accept == [
                "image/*", "application/octet-stream", "binary/octet-stream", "none",
            ]
        )
        #expect(settings.disk.reserve == 256 << 20)
        #expect(settings.detection.when == .always && settings.detection.engine == .auto)
        #expect(settings.detection.looking == .haar && settings.detection.smallFaces == .auto)
        #expect(settings.detection.unknownModel == .refuse)
        #expect(settings.detection.workingSize == 960 && settings.detection.timeout == 60)
        #expect(settings.detection.cascade == nil && settings.detection.scaleFactor == 1.1)
        #expect(settings.detection.neighbours == 3 && settings.detection.minimumFace == 30)
        #expect(settings.detection.sandbox == .available)
        #expect(settings.control.group == nil && settings.control.writeGroup == nil)
        #expect(settings.effective.allSatisfy { $0.source == .fallback })
        #expect(settings.effective.map(\.key) == SettingsTable.rows.map(\.key))
        #expect(settings.configFile == nil)
    }

    @Test("a flag goes before the environment, which goes before the file")
    func precedence() throws {
        let yaml = """
            transfer:
              concurrency: 3
              per-host: 2
            paths:
              state: /from/file
              documents: /from/file
              socket: /from/file
            """
        var environment = Self.person
        environment["FACEFETCH_TRANSFER_PER_HOST"] = "5"
        environment["FACEFETCH_PATHS_STATE"] = "/from/environment"
        environment["FACEFETCH_PATHS_DOCUMENTS"] = "/from/environment"
        let settings = try load(
            yaml,
            flags: SettingsFlags(stateDirectory: "/from/flag/"),
            environment: environment
        )
        #expect(settings.transfer.concurrency == 3)
        #expect(settings.transfer.perHost == 5)
        #expect(settings.paths.state == "/from/flag")
        #expect(settings.paths.documents == "/from/environment")
        #expect(settings.paths.socket == "/from/file")
        let sources = Dictionary(uniqueKeysWithValues: settings.effective.map { ($0.key, $0.source) })
        #expect(sources["paths.state"] == .flag("--state-dir"))
        #expect(sources["transfer.per-host"] == .environment("FACEFETCH_TRANSFER_PER_HOST"))
        #expect(sources["transfer.segments"] == .fallback)
        let file = try #require(settings.configFile)
        #expect(sources["transfer.concurrency"] == .file(file, line: 2))
    }

    @Test("every kind of value is read as people write it")
    func values() throws {
        let settings = try load(
            """
            transfer.rate-limit: 1.5 MiB/s
            transfer:
              maximum-size: 64 MiB
              redirects: 0
              connect-timeout: 500
              stall-speed: 10k
              stall-time: 2 min
              tries: 3
              give-up: 1 d
              insecure-http: upgrade
              private-by-redirect: allow
              denied-networks: [10.1.2.3, "FE80::/10", 192.168.0.0/16]
              accept:
                - Image/PNG
              user-agent: "me/1 (me@example.org)"
            disk: {reserve: 2 GB}
            detection:
              timeout: 2 min
              when: attended
              engine: yunet
              model: /models/face.onnx
              cascade: /cascades/face.xml
              scale-factor: 1.05
              neighbours: 2
              minimum-face: 24
              sandbox: required
            control:
              group: root
            log.level: warning
            """
        )
        #expect(settings.transfer.rateLimit == 1_572_864)
        #expect(settings.transfer.maximumSize == 64 << 20 && settings.transfer.redirects == 0)
        #expect(settings.transfer.connectTimeout == 500)
        #expect(settings.transfer.stallSpeed == 10 << 10 && settings.transfer.stallTime == 120)
        #expect(settings.transfer.tries == 3 && settings.transfer.giveUp == 86_400)
        #expect(settings.transfer.insecureHTTP == .upgrade)
        #expect(settings.transfer.privateByRedirect == .allow)
        #expect(settings.transfer.deniedNetworks == ["10.1.2.3/32", "fe80::/10", "192.168.0.0/16"])
        #expect(settings.transfer.accept == ["image/png"])
        #expect(settings.transfer.userAgent == "me/1 (me@example.org)")
        #expect(settings.disk.reserve == 2_000_000_000)
        #expect(settings.detection.timeout == 120)
        #expect(settings.detection.when == .attended && settings.detection.engine == .yunet)
        #expect(settings.detection.model == "/models/face.onnx")
        #expect(settings.detection.cascade == "/cascades/face.xml" && settings.detection.scaleFactor == 1.05)
        #expect(settings.detection.neighbours == 2 && settings.detection.minimumFace == 24)
        #expect(settings.detection.sandbox == .required)
        #expect(settings.control.group == .init(name: "root", id: 0))
        #expect(settings.log.level == .warning)
    }

    @Test("all that is wrong is said at once: line, key, what was expected and the nearest key")
    func wrong() {
        let found = problems(
            """
            transfer:
              concurency: 4
              segments: many
              insecure-http: never
            # no such section
            network:
              per-host: 3
            disk:
              reserve: -1
            control.group: no-such-group-here
            """
        )
        #expect(
            found == [
                "FILE:2: transfer.concurency: there is no such setting; did you mean transfer.concurrency?",
                "FILE:7: network.per-host: there is no such setting; did you mean transfer.per-host?",
                "FILE:3: transfer.segments: expected an integer from 1 to 16, not \"many\"",
                "FILE:4: transfer.insecure-http: expected allow, upgrade, refuse, not \"never\"",
                "FILE:9: disk.reserve: expected a size, written like 500000, 32M, 256 MiB or 2 GB, not \"-1\"",
                "FILE:10: control.group: expected the name of a group that exists, not \"no-such-group-here\"",
            ]
        )
    }

    @Test(
        "a file that isn't YAML, or isn't made of keys, is refused with the line",
        arguments: [
            ("transfer:\n  - a\n b", "FILE:3"), ("- a\n- b", "FILE:1"),
            ("disk:\n  reserve: 1\n  reserve: 2", "FILE"),
            ("disk.reserve: 1\ndisk:\n  reserve: 2", "FILE:3"), ("disk:\n  reserve: {a: 1}", "FILE:2"),
            ("disk:\n  reserve: [[1]]", "FILE:2"), ("a: \"", "FILE"),
        ]
    )
    func notYAML(yaml: String, place: String) {
        let found = problems(yaml)
        #expect(found.first?.hasPrefix(place) == true)
    }

    @Test("empty files, empty sections and empty values leave the defaults")
    func empty() throws {
        #expect(try load("").transfer.concurrency == 16)
        #expect(try load("# nothing\n").transfer.concurrency == 16)
        #expect(try load("transfer:\n  # concurrency: 3\ndisk:\n  reserve:\n").transfer.concurrency == 16)
    }

    @Test(
        "a variable of one of our sections that means nothing is named, with the nearest; others are left alone"
    )
    func wrongVariable() {
        var environment = Self.person
        environment["FACEFETCH_TRANSFER_PERHOST"] = "5"
        environment["FACEFETCH_SOCKET"] = "/somewhere"
        environment["FACEFETCH_DISK_RESERVE"] = "much"
        #expect(
            problems(nil, environment: environment) == [
                "FACEFETCH_TRANSFER_PERHOST: there is no such setting; did you mean FACEFETCH_TRANSFER_PER_HOST?",
                "environment FACEFETCH_DISK_RESERVE: disk.reserve: "
                    + "expected a size, written like 500000, 32M, 256 MiB or 2 GB, not \"much\"",
            ]
        )
    }

    @Test("a file that is named must be there")
    func missing() {
        #expect(throws: SettingsError.self) {
            try DaemonSettings.load(
                flags: SettingsFlags(),
                environment: Self.person,
                configFile: "/no/such/file"
            )
        }
    }

    @Test("a timetable is a text or a list, and what is wrong with it is said")
    func timetable() throws {
        let listed = try load("transfer: {timetable: ['Sat,Sun 00:00 pause', 'Mon 08:00 1M', '18:00 off']}")
        let text = try load("transfer.timetable: Sat,Sun 00:00 pause; Mon 08:00 1M; 18:00 off")
        #expect(listed.transfer.timetable == text.transfer.timetable)
        #expect(text.transfer.timetable.map(\.days) == [[5, 6], [0], [0]])
        #expect(
            text.transfer.timeZone == nil && text.transfer.onMetered == .allow && text.watch.directory == nil
        )
        #expect(
            problems("transfer.timetable: 08:00 slowly") == [
                "FILE:1: transfer.timetable: expected entries such as \"Mon-Fri 08:00 1M; 18:00 off; Sat,Sun 00:00 "
                    + "pause\": \"slowly\" is not a rate such as 1M or 500 kB/s, nor off or pause"
            ]
        )
        #expect(problems("watch: {directory: lists}").first?.contains("expected an absolute path") == true)
        #expect(
            problems("transfer: {time-zone: ../../etc/passwd}").first?.contains("the machine knows") == true
        )
    }

    @Test("a layout is a template of folders, and what is wrong with one is named")
    func layout() throws {
        #expect(try load("documents: {sidecar: none}").documents.layout == DocumentLayout())
        let layout = try load("documents: {layout: '{host}/{sha2}'}").documents.layout
        #expect(layout.needsHash)
        for (template, words) in [
            ("{hots}", "there is no {hots}"), ("/a", "begin with a slash"), ("../a", "each part"),
            ("{host", "isn't one of a pair"),
        ] {
            let problem = problems("documents: {layout: '\(template)'}").first
            #expect(problem?.contains("documents.layout") == true && problem?.contains(words) == true)
        }
    }

    @Test("yunet looks where it has a file, unless haar is asked for")
    func engine() throws {
        #expect(try load("detection: {model: /n.onnx}").detection.looking == .yunet)
        #expect(try load("detection: {model: /n.onnx, engine: haar}").detection.looking == .haar)
        #expect(try load("detection: {engine: auto, small-faces: always}").detection.looking == .haar)
        #expect(problems("detection: {small-faces: sometimes}").first?.contains("off, auto") == true)
    }

    @Test("a network that was found is as good as one that is named, which goes first")
    func foundModel() throws {
        let auto = try load("detection: {engine: auto}", found: "/f.onnx").detection
        #expect(auto.looking == .yunet && auto.network == "/f.onnx" && auto.found?.name == "yunet")
        #expect(try load("detection: {engine: yunet}", found: "/f.onnx").detection.looking == .yunet)
        let haar = try load("detection: {engine: haar}", found: "/f.onnx").detection
        #expect(haar.looking == .haar && haar.network == "/f.onnx")
        let named = try load("detection: {model: /n.onnx}", found: "/f.onnx").detection
        #expect(named.network == "/n.onnx" && named.found == nil)
        // A network that comes or goes is a change, although no setting has changed.
        let none = try load("detection: {engine: auto}")
        #expect(none.detection != auto && none.detection.looking == .haar)
        #expect(none.changes(to: try load("detection: {engine: auto}", found: "/f.onnx")).isEmpty)
    }

    @Test("the engine yunet needs a model")
    func model() {
        #expect(problems("detection: {engine: yunet}").first?.contains("detection.model") == true)
    }

    @Test("a reload says what changed and what needs a restart")
    func changes() throws {
        let before = try load("transfer: {concurrency: 3}")
        let now = try load("control: {group: root}")
        #expect(
            before.changes(to: now) == [
                SettingChange(key: "transfer.concurrency", before: "3", now: "16", needsRestart: false),
                SettingChange(key: "control.group", before: "", now: "root", needsRestart: true),
            ]
        )
    }

    @Test("the table has a line for each setting, and the defaults in it can be read")
    func table() {
        #expect(Set(SettingsTable.rows.map(\.key)).count == SettingsTable.rows.count)
        for row in SettingsTable.rows {
            #expect(!row.meaning.isEmpty && row.meaning.hasSuffix(".") || row.meaning.hasSuffix(")."))
        }
        #expect(
            SettingsTable.rows.first { $0.key == "control.write-group" }?.variable
                == "FACEFETCH_CONTROL_WRITE_GROUP"
        )
    }

    @Test("the shipped file says every default as it is, and leaves everything at it")
    func shippedFile() throws {
        let file = SettingsTable.commentedFile
        let shipped = try load(file)
        #expect(shipped.effective.allSatisfy { $0.source == .fallback })
        // With the comments off, the values are set, and are the same.
        let lines = file.split(separator: "\n").map { line in
            line.hasPrefix("  #") && !line.hasPrefix("  # ") ? "  " + line.dropFirst(3) : String(line)
        }
        let opened = try load(lines.joined(separator: "\n"))
        #expect(shipped.changes(to: opened).isEmpty)
        #expect(opened.transfer == shipped.transfer && opened.detection == shipped.detection)
        #expect(!opened.effective.allSatisfy { $0.source == .fallback })
    }

    @Test("the listing shows each setting with its value and its source")
    func listing() throws {
        let lines = try load("disk: {reserve: 1 GB}").listing.split(separator: "\n")
        #expect(lines.count == SettingsTable.rows.count)
        #expect(
            lines.contains { $0.hasPrefix("disk.reserve:") && $0.contains("1 GB   # ") && $0.hasSuffix(":1") }
        )
        #expect(lines.contains { $0.hasPrefix("control.group:") && $0.hasSuffix("(not set)   # default") })
    }
}
