import FoundationEssentials
import Testing

@testable import Settings

@Suite("Where things are")
struct PlacesTests {
    @Test("a person gets the XDG directories")
    func person() throws {
        let places = try #require(
            Places(environment: [
                "HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/s/",
            ])
        )
        #expect(places.state == "/s/facefetch")
        #expect(places.documents == "/home/ann/Documents/facefetch")
        #expect(places.socket == "/run/user/7/facefetch/control.sock")
        #expect(places.eventLog == "/s/facefetch/events.log")
        #expect(places.cache == "/home/ann/.cache/facefetch")
        #expect(places.configFile == "/home/ann/.config/facefetch/facefetchd.yaml")
    }

    @Test("without a session's runtime directory the socket is in the state directory")
    func noSession() throws {
        let places = try #require(Places(environment: ["HOME": "/home/ann"]))
        #expect(places.state == "/home/ann/.local/state/facefetch")
        #expect(places.socket == "/home/ann/.local/state/facefetch/control.sock")
    }

    @Test("a service of the system gets what systemd made for it")
    func service() throws {
        let places = try #require(
            Places(environment: [
                "HOME": "/nonexistent", "STATE_DIRECTORY": "/var/lib/facefetch:/var/lib/other",
                "RUNTIME_DIRECTORY": "/run/facefetch", "LOGS_DIRECTORY": "/var/log/facefetch",
                "CONFIGURATION_DIRECTORY": "/etc/facefetch", "CACHE_DIRECTORY": "/var/cache/facefetch",
            ])
        )
        #expect(places.cache == "/var/cache/facefetch")
        #expect(places.state == "/var/lib/facefetch")
        #expect(places.documents == "/var/lib/facefetch/documents")
        #expect(places.socket == "/run/facefetch/control.sock")
        #expect(places.eventLog == "/var/log/facefetch/events.log")
        #expect(places.configFile == "/etc/facefetch/facefetchd.yaml")
    }

    @Test("a service in a person's session keeps documents where that person looks for them")
    func userService() throws {
        let places = try #require(
            Places(environment: [
                "HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7",
                "RUNTIME_DIRECTORY": "/run/user/7/facefetch",
                "STATE_DIRECTORY": "/home/ann/.config/facefetch",
            ])
        )
        #expect(places.state == "/home/ann/.config/facefetch")
        #expect(places.documents == "/home/ann/Documents/facefetch")
        #expect(places.socket == "/run/user/7/facefetch/control.sock")
    }

    @Test("a service that systemd has made no cache for keeps it with its state")
    func noCache() throws {
        let service = ["HOME": "/nonexistent", "STATE_DIRECTORY": "/var/lib/facefetch"]
        #expect(Places(environment: service)?.cache == "/var/lib/facefetch/cache")
        let person = ["HOME": "/home/ann", "XDG_CACHE_HOME": "/c"]
        #expect(Places(environment: person)?.cache == "/c/facefetch")
    }

    @Test("the documents directory follows user-dirs.dirs")
    func userDirs() throws {
        let config =
            FileManager.default.temporaryDirectory.path + "/config-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: config) }
        try Data("# made by xdg-user-dirs\nXDG_DOCUMENTS_DIR=\"$HOME/Schriften\"\n".utf8)
            .write(to: URL(filePath: config + "/user-dirs.dirs"))
        let places = try #require(Places(environment: ["HOME": "/home/ann", "XDG_CONFIG_HOME": config]))
        #expect(places.documents == "/home/ann/Schriften/facefetch")
    }
}
