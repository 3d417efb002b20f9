/// All settings in one validated value.
///
/// Flags take precedence over the environment (`transfer.per-host` is `FACEFETCH_TRANSFER_PER_HOST`),
/// that over the YAML file, and that over the defaults. ``SettingsTable`` describes each setting.
public struct DaemonSettings: Hashable, Sendable {
    /// Downloads.
    public var transfer: Transfer
    /// Settings of single hosts.
    public var hosts: Hosts
    /// The documents' disk.
    public var disk: Disk
    /// Settings of what is written beside documents.
    public var documents: Documents
    /// Face detection.
    public var detection: Detection
    /// Pictures for people to look at.
    public var gallery: Gallery
    /// The control socket.
    public var control: Control
    /// Settings of what is posted to a receiver.
    public var webhook: Webhook
    /// Settings of where faults of the daemon itself are reported.
    public var reporting: Reporting
    /// Settings of what the daemon says about itself.
    public var log: Log
    /// Settings of what is kept of jobs that have ended.
    public var jobs: Jobs
    /// Places that list pictures.
    public var sources: Sources
    /// A folder whose files are added.
    public var watch: Watch
    /// Keys for other people's servers.
    public var secrets: Secrets
    /// Settings of where things are.
    public var paths: Paths
    /// Every setting with its value as text and the source of that, in the order of the table.
    public var effective: [EffectiveSetting]
    /// The file that was read, if any.
    public var configFile: String?
}

/// The settings that have their own flags; nil for flags that aren't given.
public struct SettingsFlags: Hashable, Sendable {
    /// The directory of the store and the partials, by `--state-dir`.
    public var stateDirectory: String?
    /// The directory of the finished files, by `--documents-dir`.
    public var documentsDirectory: String?
    /// The control socket, by `--socket`.
    public var socket: String?
    /// The event log, by `--event-log`.
    public var eventLog: String?

    public init(
        stateDirectory: String? = nil,
        documentsDirectory: String? = nil,
        socket: String? = nil,
        eventLog: String? = nil
    ) {
        self.stateDirectory = stateDirectory
        self.documentsDirectory = documentsDirectory
        self.socket = socket
        self.eventLog = eventLog
    }
}
