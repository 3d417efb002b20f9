import FoundationEssentials
import Testing
import Vocabulary

@testable import Settings

@Suite("Settings of single hosts")
struct HostSettingsTests {
    private func load(_ yaml: String) throws -> DaemonSettings {
        let path =
            FileManager.default.temporaryDirectory.path
            + "/hosts-\(UInt64.random(in: 0...UInt64.max)).yaml"
        try Data(yaml.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            return try DaemonSettings.load(
                flags: SettingsFlags(),
                environment: ["HOME": "/home/ann"],
                configFile: path
            )
        } catch {
            throw SettingsError(
                problems: error.problems.map { problem in
                    var problem = problem
                    problem.place = String(problem.place.dropFirst(path.count))
                    return problem
                }
            )
        }
    }

    private func problems(_ yaml: String) -> [String] {
        do {
            _ = try load(yaml)
            return []
        } catch {
            return (error as? SettingsError)?.problems.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("Each host has what the file says of it, and else what holds for all")
    func values() throws {
        let settings = try load(
            """
            transfer: {pace: 60/min}
            hosts:
              Upload.Wikimedia.org.: {pace: 2/s}
              "*.example.org":
                per-host: 2
                rate-limit: 1 MiB
                headers: example-headers
                cookies: example.cookies
              192.0.2.7: {pace: none, rate-limit: 0, cookies: }
              "[2001:DB8::1]": {pace: 10/h}
              example.net:
            """
        )
        let minute = Pace(requests: 60, per: 60)
        #expect(settings.transfer.pace == minute)
        #expect(
            settings.hosts.all == [
                .init(name: "upload.wikimedia.org", pace: Pace(requests: 2, per: 1)),
                .init(
                    name: "*.example.org",
                    pace: minute,
                    perHost: 2,
                    rateLimit: 1 << 20,
                    headers: "example-headers",
                    cookies: "example.cookies"
                ),
                .init(name: "192.0.2.7"), .init(name: "2001:db8::1", pace: Pace(requests: 10, per: 3600)),
            ]
        )
        #expect(
            settings.hosts.effective.map { "\($0.key)=\($0.value)" } == [
                "hosts.upload.wikimedia.org.pace=2/s", "hosts.*.example.org.per-host=2",
                "hosts.*.example.org.rate-limit=1 MiB", "hosts.*.example.org.headers=example-headers",
                "hosts.*.example.org.cookies=example.cookies", "hosts.192.0.2.7.pace=none",
                "hosts.192.0.2.7.rate-limit=0", "hosts.2001:db8::1.pace=10/h",
            ]
        )
        #expect(settings.hosts.effective.first?.source.description.hasSuffix(".yaml:3") == true)
        #expect(try load("hosts:").hosts.all.isEmpty && load("").transfer.pace == nil)
    }

    @Test("All that is wrong is said at once, by its key and line")
    func wrong() {
        let secret =
            "expected the name of a file in secrets.directory, of letters, digits, dashes, underscores and dots"
        #expect(
            problems(
                """
                transfer: {pace: quickly}
                hosts:
                  example.org: {pase: 2/s, pace: 2, per-host: 0, rate-limit: fast, headers: ../x, cookies: [a]}
                  EXAMPLE.org: {pace: 1/s}
                  example.org:8080: {pace: 1/s}
                  https://example.org: {pace: 1/s}
                  "*.": {pace: 1/s}
                  "": {pace: 1/s}
                  bücher.example: {pace: 1/s}
                  example.net: 2/s
                """
            ) == [
                ":1: transfer.pace: expected none, or \(Pace.form), not \"quickly\"",
                ":3: hosts.example.org.pase: there is no such setting of a host; "
                    + "there are pace, per-host, rate-limit, headers, cookies",
                ":3: hosts.example.org.pace: expected none, or \(Pace.form), not \"2\"",
                ":3: hosts.example.org.per-host: expected an integer from 1 to 1000, not \"0\"",
                ":3: hosts.example.org.rate-limit: expected a size, written like 500000, 32M, 256 MiB or 2 GB, "
                    + "not \"fast\"",
                ":3: hosts.example.org.headers: \(secret), not \"../x\"",
                ":3: hosts.example.org.cookies: expected a plain value",
                ":4: hosts.EXAMPLE.org: this host is already given on line 3",
                ":5: hosts.example.org:8080: expected \(HostName.form)",
                ":6: hosts.https://example.org: expected \(HostName.form)",
                ":7: hosts.*.: expected \(HostName.form)", ":8: hosts.: expected \(HostName.form)",
                ":9: hosts.bücher.example: expected \(HostName.form)",
                ":10: hosts.example.net: expected settings such as pace under the host's name",
            ]
        )
        let place = "expected names of hosts under hosts, and settings such as pace under each"
        #expect(problems("hosts: all") == [":1: hosts: \(place)"])
        #expect(problems("hosts: [a]") == [":1: hosts: \(place)"])
        #expect(problems("hosts.example.org.pace: 1/s") == [":1: hosts.example.org.pace: \(place)"])
    }

    @Test("There are at most as many hosts as can be read in a moment")
    func many() throws {
        let hosts = { (count: Int) in
            "hosts:\n" + (1...count).map { "  h\($0): {pace: 1/s}\n" }.joined()
        }
        #expect(try load(hosts(HostKeys.mostHosts)).hosts.all.count == HostKeys.mostHosts)
        let first = HostKeys.mostHosts + 1
        let problem = ":\(first + 1): hosts.h\(first): there are more than 200 hosts"
        #expect(problems(hosts(first + 50)) == [problem])
    }

    @Test("A reload says what has changed of a host, and no variable sets anything of one")
    func changes() throws {
        let before = try load("hosts: {a: {pace: 1/s}, b: {per-host: 2}}")
        let now = try load("hosts: {c: {headers: x}, b: {per-host: 3}}")
        #expect(
            before.changes(to: now) == [
                SettingChange(key: "hosts.a.pace", before: "1/s", now: "", needsRestart: false),
                SettingChange(key: "hosts.b.per-host", before: "2", now: "3", needsRestart: false),
                SettingChange(key: "hosts.c.headers", before: "", now: "x", needsRestart: false),
            ]
        )
        let environment = ["HOME": "/home/ann", "FACEFETCH_HOSTS_A_PACE": "1/s"]
        #expect(try DaemonSettings.load(flags: SettingsFlags(), environment: environment).hosts.all.isEmpty)
    }

    @Test("The table has a row for each setting of a host, and the shipped file shows them")
    func table() {
        #expect(SettingsTable.hostRows.map(\.key).allSatisfy { $0.hasPrefix("hosts.NAME.") })
        #expect(SettingsTable.hostRows.allSatisfy { $0.meaning.hasSuffix(".") && !$0.needsRestart })
        for name in HostKeys.names { #expect(SettingsTable.commentedFile.contains("\n  #  \(name): ")) }
    }
}
