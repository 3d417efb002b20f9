import Glibc

extension DaemonSettings {
    /// Reads all settings and checks them.
    ///
    /// - Parameters:
    ///   - flags: The flags of the command line.
    ///   - environment: The variables of the environment.
    ///   - configFile: The file given by `--config`, which must exist; nil reads `facefetchd.yaml` from
    ///     its default place if it exists.
    ///   - findModel: Looks for the file of a network for yunet, where the settings name none.
    /// - Throws: ``SettingsError`` with everything that is wrong.
    public static func load(
        flags: SettingsFlags,
        environment: [String: String],
        configFile: String? = nil,
        findModel: () -> Detection.FoundModel? = { nil }
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
        let settings = read(
            &reader,
            places: places,
            configFile: file == nil ? nil : path,
            findModel: findModel
        )
        guard let settings, reader.problems.isEmpty else { throw SettingsError(problems: reader.problems) }
        return settings
    }

    private static func read(
        _ reader: inout SettingsReader,
        places: Places,
        configFile: String?,
        findModel: () -> Detection.FoundModel?
    ) -> DaemonSettings? {
        do throws(SettingsReader.BadDefault) {
            // In the order of the table.
            let transfer = try Transfer(&reader)
            let disk = try Disk(&reader)
            let documents = try Documents(&reader)
            let detection = try Detection(&reader, findModel: findModel)
            let gallery = try Gallery(&reader, places: places)
            let control = try Control(&reader)
            let webhook = try Webhook(&reader)
            let reporting = try Reporting(&reader)
            let log = try Log(&reader)
            let jobs = try Jobs(&reader)
            let hosts = Hosts(&reader, pace: transfer.pace)
            return DaemonSettings(
                transfer: transfer,
                hosts: hosts,
                disk: disk,
                documents: documents,
                detection: detection,
                gallery: gallery,
                control: control,
                webhook: webhook,
                reporting: reporting,
                log: log,
                jobs: jobs,
                sources: Sources(&reader, places: places),
                watch: try Watch(&reader),
                secrets: Secrets(&reader, places: places),
                paths: Paths(&reader, places: places),
                effective: reader.effective,
                configFile: configFile
            )
        } catch {
            reader.report(place: "default", key: error.key, "the default can't be read")
            return nil
        }
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

    /// Resolves a path from the command line against the working directory.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), !path.isEmpty, let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return Places.normalized(String(cString: directory) + "/" + path)
    }
}
