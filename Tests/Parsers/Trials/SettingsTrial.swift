import Glibc
import Settings

/// A settings file.
enum SettingsTrial {
    private static let environment = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"]

    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let file = NamelessFile(bytes) else { return nil }
        switch load(environment, file.path) {
        case .success(let settings):
            try checkRanges(of: settings)
            try checkReturn(of: settings)
            return settings.transfer.userAgent
        case .failure(let error):
            try promise(!error.problems.isEmpty, "the settings are wrong, and nothing of them is")
            for problem in error.problems {
                try promise(!problem.message.isEmpty, "there is no reason")
            }
            return nil
        }
    }

    private static func load(
        _ environment: [String: String],
        _ configFile: String? = nil
    ) -> Result<DaemonSettings, SettingsError> {
        Result { () throws(SettingsError) in
            try DaemonSettings.load(flags: SettingsFlags(), environment: environment, configFile: configFile)
        }
    }

    private static func checkRanges(of settings: DaemonSettings) throws(BrokenPromise) {
        let transfer = settings.transfer
        try promise(
            (1...1000).contains(transfer.concurrency),
            "there may be \(transfer.concurrency) transfers"
        )
        try promise((1...16).contains(transfer.segments), "there may be \(transfer.segments) segments")
        try promise(transfer.rateLimit ?? 1 > 0, "the rate is limited to \(transfer.rateLimit ?? 0)")
        try promise((0...100).contains(transfer.redirects), "there may be \(transfer.redirects) redirects")
        try promise((1...3600).contains(transfer.stallTime), "a stall takes \(transfer.stallTime) s")
        try promise(
            transfer.userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) },
            "the user agent holds more than a header field may"
        )
        try promise(
            (1...3600).contains(settings.detection.timeout),
            "a picture gets \(settings.detection.timeout) s"
        )
        let paths = settings.paths
        for path in [paths.state, paths.documents, paths.socket, paths.eventLog] {
            try promise(path.hasPrefix("/"), "the path \(path) begins nowhere")
        }
    }

    /// Checks that the settings that check-config shows are the settings.
    private static func checkReturn(of settings: DaemonSettings) throws(BrokenPromise) {
        try promise(settings.effective.count == SettingsTable.rows.count, "a setting isn't shown")
        var environment = environment
        for (row, shown) in zip(SettingsTable.rows, settings.effective) {
            try promise(row.key == shown.key, "\(shown.key) stands where \(row.key) should")
            environment[row.variable] = shown.value
        }
        switch load(environment) {
        case .success(var again):
            again.effective = settings.effective
            again.configFile = settings.configFile
            // The environment has no variables for them.
            again.hosts = settings.hosts
            try promise(
                again == settings,
                "the settings aren't the same when they are read as they are shown"
            )
        case .failure(let error):
            throw BrokenPromise(description: "the settings can't be read as they are shown: \(error)")
        }
    }
}

/// A file that nothing else can open, and that goes away by itself.
private struct NamelessFile: ~Copyable {
    let path: String
    private let descriptor: Int32

    init?(_ bytes: [UInt8]) {
        var name = Array(
            "\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/settings-XXXXXX\0".utf8CString
        )
        descriptor = mkstemp(&name)
        path = "/proc/self/fd/\(descriptor)"
        guard descriptor >= 0, unlink(name) == 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            return nil
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
