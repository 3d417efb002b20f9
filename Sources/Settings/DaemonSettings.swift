/// Everything that can be set, in one checked value.
///
/// Each value comes from a flag, else from the environment (`transfer.per-host`
/// is `FACEFETCH_TRANSFER_PER_HOST`), else from the YAML file, else it is the
/// default. ``SettingsTable`` says what each means.
public struct DaemonSettings: Hashable, Sendable {
    /// Downloads.
    public var transfer: Transfer
    /// The disk that documents go to.
    public var disk: Disk
    /// Face detection.
    public var detection: Detection
    /// The control socket.
    public var control: Control
    /// What the daemon says about itself.
    public var log: Log
    /// Where things are.
    public var paths: Paths
    /// Every setting with its value as text and where that came from, in the order of the table.
    public var effective: [EffectiveSetting]
    /// The file that was read, where there was one.
    public var configFile: String?

    /// Downloads.
    public struct Transfer: Hashable, Sendable {
        /// Transfers at once.
        public var concurrency: Int
        /// Transfers at once from one host.
        public var perHost: Int
        /// Ranges of one large file fetched at once; 1 turns that off.
        public var segments: Int
        /// Bytes a second for all transfers together; nil for no limit.
        public var rateLimit: Int64?
        /// The largest file, in bytes; nil for no limit.
        public var maximumSize: Int64?
        /// Redirects followed for one file.
        public var redirects: Int
        /// Seconds for looking up a name, connecting and TLS together.
        public var connectTimeout: Double
        /// Bytes a second below which a transfer is stalled.
        public var stallSpeed: Int64
        /// Seconds that a transfer may be that slow.
        public var stallTime: Double
        /// Tries in a row that bring nothing new, after which a download is given up.
        public var tries: Int
        /// Seconds after which such a row of tries is given up.
        public var giveUp: Double
        /// The User-Agent header field.
        public var userAgent: String
        /// What becomes of `http:` URLs.
        public var insecureHTTP: InsecureHTTP
        /// Networks that are never connected to, as address/prefix length.
        public var deniedNetworks: [String]
        /// What becomes of redirects from public to private addresses.
        public var privateByRedirect: PrivateByRedirect
        /// Media types that are documents, `image/*` style; `none` stands for no Content-Type at all.
        public var accept: [String]
    }

    /// What becomes of `http:` URLs.
    public enum InsecureHTTP: String, CaseIterable, Sendable {
        /// They are fetched as they are.
        case allow
        /// They are fetched as `https:`.
        case upgrade
        /// They are refused.
        case refuse
    }

    /// What becomes of redirects from public to private addresses.
    public enum PrivateByRedirect: String, CaseIterable, Sendable {
        /// They are refused.
        case refuse
        /// They are followed.
        case allow
    }

    /// The disk that documents go to.
    public struct Disk: Hashable, Sendable {
        /// Bytes that stay free.
        public var reserve: Int64
    }

    /// Face detection.
    public struct Detection: Hashable, Sendable {
        /// When documents are looked at.
        public var when: When
        /// Who looks.
        public var engine: Engine
        /// The file of yunet's network; nil where there is none, and so no yunet.
        public var model: String?
        /// The file of haar's cascade; nil for the one that comes with OpenCV.
        public var cascade: String?
        /// The step between the window sizes of haar, above 1.
        public var scaleFactor: Double
        /// A face of haar needs more overlapping windows than this.
        public var neighbours: Int
        /// The smallest face of haar, in pixels at working size.
        public var minimumFace: Int
        /// What becomes of a kernel that can't give all of the sandbox.
        public var sandbox: Sandbox
        /// The most detector processes at once; 0 for one a core.
        public var workers: Int
        /// The longer side that pictures are shrunk to, in pixels.
        public var workingSize: Int
        /// Seconds that a picture may take.
        public var timeout: Double

        /// What becomes of a kernel that can't give all of the sandbox.
        public enum Sandbox: String, CaseIterable, Sendable {
            /// The daemon says so, and goes on with the rest of it.
            case available
            /// The daemon doesn't start.
            case required
        }

        /// When documents are looked at.
        public enum When: String, CaseIterable, Sendable {
            /// As they arrive.
            case always
            /// As long as at least one client follows the events.
            case attended
            /// Not before somebody says `detection release`.
            case held
        }

        /// Who looks for faces.
        public enum Engine: String, CaseIterable, Sendable {
            /// An OpenCV cascade.
            case haar
            /// A neural network, from a file that ``Detection/model`` names.
            case yunet
        }
    }

    /// The control socket.
    public struct Control: Hashable, Sendable {
        /// Whose members may connect; nil leaves the socket to the daemon's own group.
        public var group: Group?
        /// Whose members may change things; nil lets everyone who can connect.
        public var writeGroup: Group?
    }

    /// A group of users that exists.
    public struct Group: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its number.
        public var id: UInt32
    }

    /// What the daemon says about itself, on standard error.
    public struct Log: Hashable, Sendable {
        /// What is said at least.
        public var level: Level

        /// How much is said.
        public enum Level: String, CaseIterable, Sendable {
            /// What keeps the daemon from its work.
            case error
            /// And what goes wrong with jobs.
            case warning
            /// And what the daemon does by itself.
            case notice
            /// And every event.
            case info
            /// And what helps those who look for mistakes.
            case debug
        }
    }

    /// Where things are: absolute paths.
    public struct Paths: Hashable, Sendable {
        /// The directory of the store and the partials.
        public var state: String
        /// The directory of the finished files.
        public var documents: String
        /// The control socket.
        public var socket: String
        /// The event log.
        public var eventLog: String
    }
}

/// The settings that have flags of their own; nil where a flag isn't given.
public struct SettingsFlags: Hashable, Sendable {
    /// The directory of the store and the partials, by `--state-dir`.
    public var stateDirectory: String?
    /// The directory of the finished files, by `--documents-dir`.
    public var documentsDirectory: String?
    /// The control socket, by `--socket`.
    public var socket: String?
    /// The event log, by `--event-log`.
    public var eventLog: String?

    /// Flags as they were given.
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
