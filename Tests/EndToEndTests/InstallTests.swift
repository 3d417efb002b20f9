import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(
    "What \"make install\" puts where, for any PREFIX",
    .enabled(if: Shell.find("bash") != nil, "needs bash"),
    .ownThread
)
struct InstallTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func script(
        _ word: String,
        _ environment: [String: String]
    ) throws -> (status: Int32, output: String) {
        let own = [
            "BUILD": directory.path("build"), "DESTDIR": directory.path("root"), "PARTS": "main fleet",
        ]
        let bash = try #require(Shell.find("bash"))
        return try Shell.run(
            [bash, Repository.path("scripts/install-files"), word],
            environment: own.merging(["UNITDIR": "", "USERUNITDIR": "", "SYSCONFDIR": ""]) { $1 }
                .merging(environment) { $1 }
        )
    }

    /// Installs what stands in for a release build; answers the paths of all files, as they are without DESTDIR.
    private func install(_ environment: [String: String]) throws -> Set<String> {
        for line in try script("list", environment).output.split(separator: "\n") {
            let source = String(line.split(separator: " ")[1])
            guard source.hasPrefix(directory.path) else { continue }
            let name = String(source.dropFirst(directory.path.utf8.count + 1))
            _ = try directory.directory((name as NSString).deletingLastPathComponent)
            try directory.write(Array("stand-in\n".utf8), to: name)
        }
        let installed = try script("install", environment)
        #expect(installed.status == 0, "\(installed.output)")
        let root = directory.path("root")
        return Set(
            (FileManager.default.subpaths(atPath: root) ?? [])
                .filter { name in
                    var status = stat()
                    return lstat(root + "/" + name, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
                }
                .map { "/" + $0 }
        )
    }

    /// The absolute paths that a unit can't do without: what it runs, and what it lets run.
    private func paths(in unit: String) -> [String] {
        unit.split(separator: "\n").flatMap { line -> [String] in
            guard let sign = line.firstIndex(of: "="), !line.hasPrefix("#") else { return [] }
            let words = line[line.index(after: sign)...].split(separator: " ").map(String.init)
            switch line[..<sign] {
            case "ExecPaths", "BindReadOnlyPaths": return words.filter { $0.hasPrefix("/") }
            case let key where key.hasPrefix("Exec"): return Array(words.prefix(1))
            default: return []
            }
        }
    }

    @Test(
        "every unit names programs that are installed, and lies where systemd looks",
        arguments: [
            "/usr", "/usr/local", "/usr/local/", "/opt/facefetch", "/opt/a+b/1.0~2", "/home/pictures/apps",
            "/var/tmp/apps", "/",
        ]
    )
    func units(prefix: String) throws {
        let files = try install(["PREFIX": prefix])
        let programs = files.filter { $0.contains("bin/facefetch") }
        #expect(programs.count == 5)
        let units = files.filter { $0.hasSuffix(".service") || $0.hasSuffix(".socket") }
        #expect(units.count == 7)
        var named: Set<String> = []
        for unit in units {
            #expect(
                ["/usr/lib", "/usr/local/lib", "/lib"].contains { unit.hasPrefix($0 + "/systemd/") },
                "\(unit)"
            )
            let text = String(decoding: try directory.read("root" + unit), as: UTF8.self)
            let paths = paths(in: text)
            #expect(unit.hasSuffix(".socket") || !paths.isEmpty, "\(unit) runs nothing")
            for path in paths where path.contains("facefetch") || !access(path, F_OK).isZero {
                #expect(
                    files.contains(path) || files.contains { $0.hasPrefix(path + "/") },
                    "\(unit) names \(path)"
                )
            }
            // One that isn't there keeps the service from starting, unless it has a dash: not all have a kill.
            for line in text.split(separator: "\n") where line.hasPrefix("ExecPaths=") {
                for path in line.dropFirst(10).split(separator: " ").map(String.init)
                where path.hasPrefix("/") && !["/lib", "/usr/lib"].contains(path) {
                    #expect(files.contains(path), "\(unit) needs \(path)")
                }
            }
            named.formUnion(paths)
        }
        // All but the gallery, which only a person runs.
        #expect(programs.subtracting(named).isEmpty, "no unit names \(programs.subtracting(named))")
    }

    @Test("programs in a place that services don't see are shown to them, and nothing else of it")
    func hidden() throws {
        for (prefix, lines) in [
            ("/home/pictures/apps", ["ProtectHome=tmpfs", "BindReadOnlyPaths=/home/pictures/apps"]),
            ("/root/apps", ["ProtectHome=tmpfs", "BindReadOnlyPaths=/root/apps"]),
            ("/tmp/apps", ["ProtectHome=yes", "PrivateTmp=yes", "BindReadOnlyPaths=/tmp/apps"]),
            ("/opt/home/apps", ["ProtectHome=yes", "PrivateTmp=yes"]),
        ] {
            _ = try install(["PREFIX": prefix])
            for name in ["facefetchd", "facefetch-fleet", "facefetch-on@"] {
                let unit = String(
                    decoding: try directory.read("root/usr/local/lib/systemd/system/\(name).service"),
                    as: UTF8.self
                )
                let found = unit.split(separator: "\n").filter { line in
                    ["ProtectHome=", "BindReadOnlyPaths=", "PrivateTmp="].contains { line.hasPrefix($0) }
                }
                #expect(Set(lines).isSubset(of: found.map(String.init)), "\(name) below \(prefix): \(found)")
                #expect(found.contains { $0.hasPrefix("Bind") } == lines.contains { $0.hasPrefix("Bind") })
            }
        }
    }

    @Test("settings elsewhere are what the services read")
    func settings() throws {
        let files = try install(["SYSCONFDIR": "/usr/local/etc"])
        #expect(files.contains("/usr/local/etc/facefetch/facefetchd.yaml"))
        func unit(_ name: String) throws -> String {
            String(
                decoding: try directory.read("root/usr/local/lib/systemd/system/\(name).service"),
                as: UTF8.self
            )
        }
        #expect(
            try unit("facefetchd").contains(
                "\nEnvironment=CONFIGURATION_DIRECTORY=/usr/local/etc/facefetch\n"
            )
        )
        #expect(try unit("facefetch-on@").contains(" -- /usr/local/etc/facefetch/on/%i\n"))
        #expect(try unit("facefetch-fleet").contains(" run --config /usr/local/etc/facefetch/fleet.yaml\n"))
    }

    @Test("what was installed is taken away again, but for settings")
    func uninstall() throws {
        for prefix in ["/usr/local", "/opt/facefetch"] {
            let files = try install(["PREFIX": prefix])
            #expect(files.count > 20)
            #expect(try script("uninstall", ["PREFIX": prefix]).status == 0)
            for file in files where access(directory.path("root" + file), F_OK).isZero {
                #expect(file.hasPrefix("/etc/facefetch/"), "\(file) is left")
            }
        }
    }

    @Test(
        "a PREFIX that can't stand in a unit is refused",
        arguments: ["local", "/opt/a b", "/opt/%i", "/opt/../x", "/a|b", "/a&b"]
    )
    func refused(prefix: String) throws {
        let refused = try script("install", ["PREFIX": prefix])
        #expect(
            refused.status != 0 && refused.output.contains("absolute paths of letters"),
            "\(refused.output)"
        )
        #expect(!FileManager.default.fileExists(atPath: directory.path("root")))
    }
}

extension Int32 {
    fileprivate var isZero: Bool { self == 0 }
}
