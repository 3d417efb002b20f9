import FleetCore
import Foundation
import TestSupport
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

    @Test("A file that others can read may name a database, and have no password")
    func openPasswords() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("fleet.yaml")
        func read(_ database: String, mode: Int) throws(FleetFailure) -> String {
            _ = FileManager.default.createFile(
                atPath: path,
                contents: Data("database: \(database)\n".utf8),
                attributes: [.posixPermissions: mode]
            )
            return try FleetSettings(path: path).database
        }
        #expect(try read("host=h password=x", mode: 0o640) == "host=h password=x")
        #expect(try read("host=h", mode: 0o644) == "host=h")
        for database in ["host=h password=x", "postgresql://u:x@h/d"] {
            #expect { try read(database, mode: 0o644) } throws: { error in
                let failure = error as? FleetFailure
                return failure?.status == .badSettings && failure?.message.contains("chmod") == true
            }
        }
    }

    @Test("No piece of a password that libpq can't read is told, whichever file it is in")
    func unreadablePasswords() throws {
        let directory = try TemporaryDirectory()
        for database in ["host=h password=s3cret p4ssword", "postgresql://u:s3cret/p4ssword@h/d"] {
            let path = directory.path("database")
            _ = FileManager.default.createFile(
                atPath: path,
                contents: Data(database.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            for text in ["database: \(database)\n", "database-file: \(path)\n"] {
                #expect { try settings(text) } throws: { error in
                    let failure = error as? FleetFailure
                    return failure?.status == .badSettings
                        && failure?.message.contains("single quotes") == true
                        && failure?.message.contains("p4ss") == false
                }
            }
        }
    }

    @Test("All of them", arguments: ["12", "12s", "12 s"])
    func all(lease: String) throws {
        let text =
            "database: d\nnode: n1\nsocket: /s\nschema: two\nlease: \(lease)\nslice: 10\ndocuments: local\n"
            + "metrics: /m/f.prom\nkeep: 7d\n"
        let settings = try settings(text)
        #expect(settings.node == "n1" && settings.socket == "/s" && settings.schema == "two")
        #expect(settings.metrics == "/m/f.prom" && settings.keep == .seconds(7 * 86_400))
        #expect(settings.timing == FleetTiming(leaseSeconds: 12) && settings.slice == 10)
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("", "database"), ("node: a\n", "database"), ("database: a\ndatabase-file: b\n", "database"),
            ("database: a\nleese: 3\n", "leese"), ("database: a\nlease: 5\n", "lease"),
            ("database: a\nlease: 1h1s\n", "lease"), ("database: a\nkeep: 1min\n", "keep"),
            ("database: a\nslice: 0\n", "slice"), ("database: a\nnode: a b\n", "node"),
            ("database: [a]\n", "plain"),
            ("database: a\nmetrics: f\n", "metrics"), ("database: a\ndocuments: s4\n", "documents"),
            ("database: a\ndocuments: s3\n", "s3-bucket"), ("database: a\ns3-bucket: b\n", "documents: s3"),
            ("database: a\ndocuments: s3\ns3-bucket: a/b\n", "s3-bucket"),
            ("database: a\ndocuments: s3\ns3-bucket: bucket\n", "s3-credentials"),
            ("database: a\ndocuments: s3\ns3-bucket: bucket\ns3-region: a b\n", "s3-region"),
            ("database: a\ndocuments: s3\ns3-bucket: bucket\ns3-endpoint: ftp://h/\n", "s3-endpoint"),
            ("database: a\ndocuments: s3\ns3-bucket: bucket\ns3-credentials: /none\n", "/none"),
            ("database: a\ndocuments: path\n", "documents-path"),
            ("database: a\ndocuments: path\ndocuments-path: here\n", "documents-path"),
            ("database: a\ndocuments-path: /here\n", "documents: path"),
            ("- a\n", "keys"), ("a: &a x\n*a : b\n", "*a stands where a name belongs"),
            ("? [a]\n: b\n", "a name must be a word"),
            ("database: " + String(repeating: "[", count: 60_000), "too many lists"),
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

    @Test(
        "Documents are in a shared folder, however it is written",
        arguments: ["/mnt/all", "/mnt/all/", "/mnt/all//"]
    )
    func sharedFolder(path: String) throws {
        let settings = try settings("database: d\ndocuments: path\ndocuments-path: \(path)\n")
        #expect(settings.place == .shared(folder: "/mnt/all") && settings.bucket == nil)
    }

    @Test("Documents are in a bucket, for which a file that nobody else may read has the keys")
    func bucket() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            Array("[default]\naws_access_key_id = A\naws_secret_access_key = s3cret\n".utf8),
            to: "keys"
        )
        let text = "database: d\ndocuments: s3\ns3-bucket: pictures\ns3-credentials: \(file)\n"
        chmod(file, 0o640)
        #expect(throws: FleetFailure.self) { try settings(text) }
        chmod(file, 0o600)
        let all = try settings(
            text + "s3-prefix: a/b/\ns3-region: eu-central-1\ns3-uploads: 3\ns3-endpoint: http://h:9\n"
        )
        #expect(all.place == .bucket("pictures", prefix: "a/b/") && all.bucket?.uploads == 3)
        #expect(all.bucket?.endpoint.region == "eu-central-1" && all.bucket?.keys.key == "s3cret")
        #expect(!"\(String(describing: all.bucket))".contains("s3cret"))
        for bad in [
            "s3-prefix: /a/", "s3-prefix: a", "s3-prefix: a/../b/", "s3-prefix: a b/", "s3-uploads: 65",
        ] {
            #expect(throws: FleetFailure.self, "\(bad)") { try settings(text + bad + "\n") }
        }
        try directory.write(Array("[other]\naws_access_key_id = A\n".utf8), to: "keys")
        chmod(file, 0o600)
        #expect(throws: FleetFailure.self) { try settings(text) }
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
