import FleetCore
import Foundation
import Testing

@testable import facefetch_fleet

@Suite("Settings of a fleet's node")
struct FleetSettingsTests {
    private func settings(_ text: String) throws(FleetFailure) -> FleetSettings {
        try FleetSettings(text: text, path: "fleet.yaml", hostName: "here")
    }

    @Test("A database is all that is needed")
    func least() throws {
        let settings = try settings("database: host=/run/postgresql dbname=ff\n")
        #expect(settings.database == "host=/run/postgresql dbname=ff" && settings.node == "here")
        #expect(settings.schema == "ff" && settings.slice == 1000 && settings.timing.lease == .seconds(30))
        #expect(settings.socket == "/run/facefetch/control.sock")
    }

    @Test("All of them", arguments: ["12", "12s", "12 s"])
    func all(lease: String) throws {
        let text =
            "database: d\nnode: n1\nsocket: /s\nschema: two\nlease: \(lease)\nslice: 10\ndocuments: local\n"
            + "metrics: /m/f.prom\n"
        let settings = try settings(text)
        #expect(settings.node == "n1" && settings.socket == "/s" && settings.schema == "two")
        #expect(settings.metrics == "/m/f.prom")
        #expect(settings.timing == FleetTiming(leaseSeconds: 12) && settings.slice == 10)
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("", "database"), ("node: a\n", "database"), ("database: a\ndatabase-file: b\n", "database"),
            ("database: a\nleese: 3\n", "leese"), ("database: a\nlease: 5\n", "lease"),
            ("database: a\nlease: 1h\n", "lease"),
            ("database: a\nslice: 0\n", "slice"), ("database: a\nnode: a b\n", "node"),
            ("database: [a]\n", "plain"),
            ("database: a\nmetrics: f\n", "metrics"), ("database: a\ndocuments: s3\n", "documents"),
            ("- a\n", "keys"),
            ("database: a\n  b: c\n", "YAML"),
        ]
    )
    func wrong(text: String, word: String) {
        do {
            _ = try settings(text)
            Issue.record("it was taken")
        } catch {
            #expect(error.status == .badSettings && error.message.contains(word), "\(error.message)")
        }
    }

    @Test("The file with every setting is one that lacks a database only")
    func file() throws {
        #expect(throws: FleetFailure.self) { try settings(FleetSettings.file) }
        let lines = FleetSettings.file.split(separator: "\n").map { line -> String in
            if line.hasPrefix("#database:") { return "database: d" }
            return String(line.hasPrefix("#lease:") ? line.dropFirst() : line)
        }
        let defaults = try settings(lines.joined(separator: "\n"))
        #expect(try defaults == settings("database: d\n"))
    }

    @Test("A file with a password is refused if others may read it")
    func passwords() throws {
        let path = NSTemporaryDirectory() + "/ff-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("host=db password=s3cret\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(throws: FleetFailure.self) { try settings("database-file: \(path)\n") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try settings("database-file: \(path)\n").database == "host=db password=s3cret")
    }
}
