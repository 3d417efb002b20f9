import CurlTransfer
import Glibc
import JobModel
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import facefetchd

@Suite("The secrets of hosts")
struct HostSecretsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func settings(_ hosts: String) throws -> DaemonSettings {
        let text = "secrets.directory: \(directory.path)\n" + hosts
        return try DaemonSettings.load(
            flags: SettingsFlags(),
            environment: ["HOME": "/home/ann"],
            configFile: try directory.write(Array(text.utf8), to: "settings.yaml")
        )
    }

    private func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        chmod(try directory.write(Array(text.utf8), to: name), mode)
    }

    private func failure(_ hosts: String) -> String? {
        do {
            _ = try settings(hosts).hostCredentials()
            return nil
        } catch {
            return (error as? StartFailure)?.description ?? "\(error)"
        }
    }

    @Test("They are read from files, and the longest name counts alone")
    func read() throws {
        try write("# mine\nAuthorization: Bearer a:b\n\nX-Empty:\n", to: "fields")
        try write("example.org\tTRUE\t/\tFALSE\t0\ta\tb\n", to: "cookies.txt", mode: 0o640)
        let all = try settings(
            "hosts: {example.org: {headers: fields}, '*.example.org': {cookies: cookies.txt}, a.example.org: {pace: 1/s}}"
        )
        let credentials = try all.hostCredentials()
        #expect(credentials["example.org"]?.fields.map(\.name) == ["Authorization", "X-Empty"])
        #expect(credentials["example.org"]?.fields.first?.value == "Bearer a:b")
        #expect(credentials["b.example.org"]?.cookies.map(\.name) == ["a"])
        #expect(credentials["a.example.org"] == HostCredentials() && credentials["example.com"] == nil)
        #expect(all.hostRules.limits(of: "a.example.org").pace == Pace(requests: 1, per: 1))
    }

    @Test(
        "What can't be used is said by its key, without a value",
        arguments: [
            ("Authorization SECRET", 0o600, "has no header field in line 1"),
            ("A: b\nA b: SECRET", 0o600, "line 2"), ("Host: SECRET", 0o600, "set by facefetch itself"),
            ("A: 1\na: SECRET", 0o600, "twice (line 2)"), ("Cookie: SECRET", 0o600, "in cookies"),
            ("A: SECRET", 0o644, "can be read or changed by others"),
            (String(repeating: "A: SECRET\n", count: 10_000), 0o600, "has more than 65536 bytes"),
        ] as [(String, mode_t, String)]
    )
    func headers(text: String, mode: mode_t, words: String) throws {
        try write(text, to: "fields", mode: mode)
        let said = failure("hosts: {'*.example.org': {headers: fields}}") ?? ""
        #expect(said.hasPrefix("hosts.*.example.org.headers: ") && said.contains(words), "\(said)")
        #expect(!said.contains("SECRET"))
    }

    @Test("A secret that isn't there, and one that holds no cookies, end the start")
    func cookies() throws {
        let missing = failure("hosts: {example.org: {cookies: none}}")
        #expect(missing?.contains("hosts.example.org.cookies: there is no secret none in ") == true)
        try write("# c\nSECRET\n", to: "cookies.txt")
        let wrong = failure("hosts: {example.org: {cookies: cookies.txt}}")
        #expect(wrong?.contains("cookies.txt is no cookies.txt (line 2): ") == true, "\(wrong ?? "")")
        #expect(wrong?.contains("SECRET") == false)
    }
}
