import Glibc

extension DaemonSettings {
    /// Reads all settings and checks them.
    ///
    /// - Parameters:
    ///   - flags: What the command line says.
    ///   - environment: The variables of the environment.
    ///   - configFile: The file that `--config` names, which must exist; nil
    ///     reads `facefetchd.yaml` from the usual place where it exists.
    /// - Throws: ``SettingsError`` with all that is wrong.
    public static func load(
        flags: SettingsFlags,
        environment: [String: String],
        configFile: String? = nil
    ) throws(SettingsError) -> DaemonSettings {
        guard let places = Places(environment: environment) else {
            throw SettingsError(problems: [
                .init(
                    place: "HOME",
                    key: nil,
                    message: "this user has no home directory; set HOME, or run as a service"
                )
            ])
        }
        let path = configFile.map(absolute) ?? places.configFile
        let file = try readFile(path, mustExist: configFile != nil)
        var given: [String: String] = [:]
        given["paths.state"] = flags.stateDirectory.map(absolute)
        given["paths.documents"] = flags.documentsDirectory.map(absolute)
        given["paths.socket"] = flags.socket.map(absolute)
        given["paths.event-log"] = flags.eventLog.map(absolute)
        var reader = SettingsReader(flags: given, environment: environment, filePath: path, file: file)
        guard let settings = read(&reader, places: places, configFile: file == nil ? nil : path),
            reader.problems.isEmpty
        else { throw SettingsError(problems: reader.problems) }
        return settings
    }

    private static func read(
        _ reader: inout SettingsReader,
        places: Places,
        configFile: String?
    ) -> DaemonSettings? {
        // In the order of the table; a default that can't be read would be a mistake in it.
        guard let concurrency = reader.value(Keys.concurrency), let perHost = reader.value(Keys.perHost),
            let segments = reader.value(Keys.segments), let rateLimit = reader.value(Keys.rateLimit),
            let maximumSize = reader.value(Keys.maximumSize), let redirects = reader.value(Keys.redirects),
            let connectTimeout = reader.value(Keys.connectTimeout),
            let stallSpeed = reader.value(Keys.stallSpeed), let stallTime = reader.value(Keys.stallTime),
            let tries = reader.value(Keys.tries), let giveUp = reader.value(Keys.giveUp),
            let userAgent = reader.value(Keys.userAgent), let insecureHTTP = reader.value(Keys.insecureHTTP),
            let deniedNetworks = reader.value(Keys.deniedNetworks),
            let privateByRedirect = reader.value(Keys.privateByRedirect),
            let accept = reader.value(Keys.accept),
            let reserve = reader.value(Keys.reserve), let when = reader.value(Keys.when),
            let engine = reader.value(Keys.engine), let model = reader.value(Keys.model),
            let workers = reader.value(Keys.workers), let workingSize = reader.value(Keys.workingSize),
            let timeout = reader.value(Keys.timeout), let cascade = reader.value(Keys.cascade),
            let scaleFactor = reader.value(Keys.scaleFactor), let neighbours = reader.value(Keys.neighbours),
            let minimumFace = reader.value(Keys.minimumFace), let sandbox = reader.value(Keys.sandbox),
            let group = reader.value(Keys.group),
            let writeGroup = reader.value(Keys.writeGroup), let level = reader.value(Keys.level)
        else { return nil }
        let paths = Paths(
            state: reader.path(Keys.state, fallback: places.state),
            documents: reader.path(Keys.documents, fallback: places.documents),
            socket: reader.path(Keys.socket, fallback: places.socket),
            eventLog: reader.path(Keys.eventLog, fallback: places.eventLog)
        )
        if engine == .yunet, model == nil { reader.requireModel() }
        return DaemonSettings(
            transfer: Transfer(
                concurrency: concurrency,
                perHost: perHost,
                segments: segments,
                rateLimit: rateLimit == 0 ? nil : rateLimit,
                maximumSize: maximumSize == 0 ? nil : maximumSize,
                redirects: redirects,
                connectTimeout: connectTimeout,
                stallSpeed: stallSpeed,
                stallTime: stallTime,
                tries: tries,
                giveUp: giveUp,
                userAgent: userAgent,
                insecureHTTP: insecureHTTP,
                deniedNetworks: deniedNetworks,
                privateByRedirect: privateByRedirect,
                accept: accept
            ),
            disk: Disk(reserve: reserve),
            detection: Detection(
                when: when,
                engine: engine,
                model: model,
                cascade: cascade,
                scaleFactor: scaleFactor,
                neighbours: neighbours,
                minimumFace: minimumFace,
                sandbox: sandbox,
                workers: workers,
                workingSize: workingSize,
                timeout: timeout
            ),
            control: Control(group: group, writeGroup: writeGroup),
            log: Log(level: level),
            paths: paths,
            effective: reader.effective,
            configFile: configFile
        )
    }

    private static func readFile(_ path: String, mustExist: Bool) throws(SettingsError) -> ConfigFile? {
        do throws(TextFile.Unreadable) {
            return ConfigFile(path: path, text: try TextFile.read(path))
        } catch {
            if error.errno == ENOENT, !mustExist { return nil }
            throw SettingsError(problems: [
                .init(place: path, key: nil, message: "the settings can't be read: \(error.message)")
            ])
        }
    }

    /// A path from the command line is meant from the working directory on.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), !path.isEmpty, let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return Places.normalized(String(cString: directory) + "/" + path)
    }
}

extension SettingsReader {
    /// Says that the engine needs a file of its own.
    fileprivate mutating func requireModel() {
        let source = effective.first { $0.key == "detection.engine" }?.source.description ?? "default"
        report(place: source, key: "detection.model", "the engine yunet needs its ONNX file named here")
    }
}
