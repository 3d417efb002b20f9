import Children
import ControlAPI
import ControlServer
import CurlTransfer
import DocumentStore
import Glibc
import JobCore
import JobEngine
import JobModel
import Receivers
import Settings
import SourceEngine
import Vocabulary

/// The configuration of each part, derived from the settings.
extension DaemonSettings {
    /// The engine's configuration.
    var engine: JobEngineConfiguration {
        JobEngineConfiguration(
            transfers: TransferQueue.Limits(
                total: concurrency,
                perHost: transfer.perHost,
                streams: transfer.streams,
                ahead: Self.requestsInHand,
                trials: min(Self.mostTrials, max(0, descriptors.transfers - concurrency))
            ),
            hosts: hostRules,
            detections: detectorCount,
            engines: engines,
            looksByItself: detection.when != .never,
            detectionGateOpen: detection.when == .always || detection.when == .never,
            remembersDetectionGate: detection.when != .attended,
            retry: RetryPolicy(maximumTries: transfer.tries, maximumAge: transfer.giveUp),
            stepsFrom: log.stepsFrom,
            layout: documents.layout,
            documents: DocumentRules(
                usesServerTimes: documents.times == .server,
                adjustsExtensions: documents.extensions == .adjust
            ),
            diskReserve: disk.reserve,
            maximumSize: documents.maximumSize,
            boot: BootID.current(),
            hasDefaultRoute: { DefaultRoute.exists() },
            hours: hours,
            earliestTime: Timestamp(microseconds: ProductVersion.earliestTime * 1_000_000)
        )
    }

    /// The most requests to one host that wait for others of it to end.
    private static let requestsInHand = 64
    /// The most requests at once to hosts that bring nothing.
    private static let mostTrials = 1024

    /// The hours, rates and connections that are allowed to downloads.
    private var hours: TransferHours {
        let zone = ZoneFile(name: transfer.timeZone)
        return TransferHours(
            timetable: timetable,
            zone: { zone.rules },
            rateLimit: transfer.rateLimit,
            holdsOnMetered: transfer.onMetered == .hold
        )
    }

    private var timetable: Timetable {
        Timetable(
            transfer.timetable.flatMap { entry in
                entry.days.map { Timetable.Entry(minute: $0 * 1440 + entry.minute, rule: entry.rule.hours) }
            }
        )
    }

    /// Checks what can be checked before any part is there; returns what is to be told all the same.
    ///
    /// - Throws: ``StartFailure`` for the first mistake.
    func check() throws(StartFailure) -> [String] {
        try checkDetection()
        try checkTimeZone()
        try checkWatchedFolder()
        let notices = try checkCertificates()
        _ = try hostCredentials()
        _ = try webhookDelivery()
        _ = try errorReports()
        return notices
    }

    /// Checks that the rules of the timetable's zone can be read.
    ///
    /// - Throws: ``StartFailure`` for a file that makes no sense.
    func checkTimeZone() throws(StartFailure) {
        guard let name = transfer.timeZone, ZoneFile.read(name) == nil else { return }
        throw StartFailure(
            status: .badSettings,
            description:
                "transfer.time-zone: the machine's file of \(name) can't be used, since it is damaged or "
                + "counts leap seconds; name another zone, or install tzdata again"
        )
    }

    /// Checks that the watched folder is not one in which files have another meaning: all that lies in it is
    /// renamed.
    ///
    /// - Throws: ``StartFailure`` for such a folder.
    func checkWatchedFolder() throws(StartFailure) {
        guard let watched = watch.directory.map(Self.resolved) else { return }
        let others = [
            ("paths.documents", paths.documents), ("paths.state", paths.state),
            ("sources.directory", sources.directory), ("secrets.directory", secrets.directory),
        ]
        for (key, other) in others {
            let other = Self.resolved(other)
            guard watched == other || watched.hasPrefix(other + "/") else { continue }
            throw StartFailure(
                status: .badSettings,
                description:
                    "watch.directory: \(watched) is in \(other) (\(key)), and files in a watched folder are "
                    + "renamed; name a folder for lists alone"
            )
        }
    }

    /// Returns a path without links, as far as it exists.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The engines whose files are configured.
    private var engines: Set<DetectionEngine> {
        Set(DetectionEngine.allCases.filter { detection.network != nil || !$0.needsModel })
    }

    /// Returns the transfer thread's configuration.
    ///
    /// - Throws: ``StartFailure`` for an invalid network, or a secret that can't be used.
    func curlTransfer() throws(StartFailure) -> CurlTransferConfiguration {
        let descriptors = descriptors
        return CurlTransferConfiguration(
            userAgent: transfer.userAgent,
            connectTimeout: transfer.connectTimeout,
            lowSpeedLimit: Int(transfer.stallSpeed),
            lowSpeedTime: max(1, Int(transfer.stallTime.rounded(.up))),
            policy: policy,
            totalRateLimit: transfer.rateLimit,
            lowestRateLimit: timetable.lowestRate,
            diskReserve: disk.reserve,
            deniedNetworks: try deniedRanges(),
            segments: transfer.segments,
            connectionsPerHost: transfer.perHost,
            mostConnectionsPerHost: mostConnectionsPerHost,
            streams: transfer.streams,
            connectionCacheSize: min(max(16, concurrency * 2), descriptors.sockets),
            maximumConnections: descriptors.sockets,
            descriptorCeiling: descriptorCeiling,
            receiveBufferSize: CurlTransferConfiguration.receiveBufferSize(
                streams: max(concurrency * transfer.segments, mostTransfers)
            ),
            hosts: hostRules,
            credentials: try hostCredentials(),
            certificates: certificates
        )
    }

    /// The most transfers at once, those included that share connections.
    private var mostTransfers: Int {
        let limits = TransferQueue.Limits(
            total: concurrency,
            perHost: transfer.perHost,
            streams: transfer.streams
        )
        return transfer.streams > 1 ? concurrency + limits.mostShared : concurrency
    }

    /// The most connections to any one host; nil where requests don't share them, and permits alone limit them.
    private var mostConnectionsPerHost: Int? {
        guard transfer.streams > transfer.perHost else { return nil }
        return hosts.all.compactMap(\.perHost).reduce(transfer.perHost, max)
    }

    /// Returns the networks that are never connected to.
    ///
    /// - Throws: ``StartFailure`` for an invalid network.
    func deniedRanges() throws(StartFailure) -> [NetworkRange] {
        var denied: [NetworkRange] = []
        for text in transfer.deniedNetworks {
            guard let range = NetworkRange(text) else {
                throw StartFailure(
                    status: .badSettings,
                    description:
                        "transfer.denied-networks: \(text) is not a network; write it like 10.0.0.0/8"
                )
            }
            denied.append(range)
        }
        return denied
    }

    /// Returns the webhook's configuration; nil if there is none.
    ///
    /// - Throws: ``StartFailure`` for a file of secrets that can't be used.
    func webhookDelivery() throws(StartFailure) -> WebhookConfiguration? {
        let secrets: [WebhookSecret]
        if let file = webhook.secretFile { secrets = try WebhookSecrets.read(file) } else { secrets = [] }
        guard let url = webhook.url else { return nil }
        return WebhookConfiguration(
            url: url,
            secrets: secrets,
            endings: Set(webhook.endings),
            source: "//\(MachineName.current)/facefetch",
            deniedNetworks: try deniedRanges(),
            certificates: certificates,
            userAgent: "facefetch/\(ProductVersion.current)"
        )
    }

    /// The bytes that sidecars leave free on the documents' disk; nil if there are to be none.
    var sidecarReserve: Int64? { documents.sidecar == .xmp ? disk.reserve : nil }

    private var policy: TransferPolicy {
        let types = transfer.accept.filter { $0 != "none" }
        var policy = TransferPolicy(
            plainHTTP: transfer.insecureHTTP,
            // An empty list would accept every type; this one accepts none.
            acceptedTypes: types.isEmpty ? ["none"] : types,
            acceptsUntyped: transfer.accept.contains("none"),
            maximumLength: transfer.maximumSize,
            maximumRedirects: transfer.redirects,
            privateByRedirect: transfer.privateByRedirect
        )
        policy.respectsReservations = transfer.respectNoAI
        return policy
    }

    /// The configuration of the source engine.
    var sourceEngine: SourceEngineConfiguration {
        SourceEngineConfiguration(
            pagesDirectory: paths.state + "/pages",
            secretsDirectories: secretsDirectories
        )
    }

    /// The directories of secrets, in the order in which they are looked for.
    var secretsDirectories: [String] {
        // systemd.exec(5), LoadCredential=: a directory that only the service can read.
        let credentials = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
        return [credentials, secrets.directory].compactMap(\.self)
    }

    /// The configuration of the control socket's server.
    var controlServer: ControlServerConfiguration {
        var configuration = ControlServerConfiguration(version: ProductVersion.current)
        configuration.group = control.group?.id
        configuration.writeGroup = control.writeGroup?.id
        configuration.maximumConnections = descriptors.connections
        configuration.proxy = CurlTransfer.proxyVariable
        return configuration
    }
}

extension DaemonSettings.TimetableEntry.Rule {
    /// The same in the engine's terms.
    fileprivate var hours: Hours.Rule {
        switch self {
        case .off: .unlimited
        case .rate(let rate): .atMost(rate)
        case .pause: .pause
        }
    }
}
