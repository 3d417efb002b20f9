import ControlAPI

/// The look at a daemon's status, its sources and this machine's clock that tells whether work gets done.
///
/// It decides, and asks nobody.
struct Examination {
    /// The daemon's status.
    var status: StatusJSON
    /// The sources there are.
    var sources: [SourceJSON] = []
    /// The obstacle that has kept the sources from being looked at; nil if there was none.
    var obstacleToSources: String?
    /// The path of the daemon's socket.
    var socketPath: String
    /// The client's version.
    var clientVersion: String
    /// The machine's clock.
    var clock: Clock

    /// The state of the machine's clock.
    struct Clock: Hashable {
        /// The year that it shows.
        var year: Int
        /// True if the kernel knows it to be synchronized; nil where it can't be asked.
        var isSynchronized: Bool?

        /// The year in which this was written: no clock that is right shows an earlier one.
        static let earliestYear = 2026
    }

    /// The findings, in the order in which they matter.
    var findings: [Finding] {
        [daemon, version, rights] + holds + disk + [detection, network, time] + stuckSources + jobs + delivery
    }

    private var daemon: Finding {
        let text =
            "the daemon at \(socketPath) is \(status.state.text), for \(Quantities.duration(status.uptime))"
        switch status.state {
        case .known(.running): return Finding("daemon", .good, text)
        case .known(.stopping): return Finding("daemon", .trouble, text, advice: "Start it again")
        default:
            return Finding(
                "daemon",
                .trouble,
                text,
                advice: "If that lasts, its own log says why: journalctl -u facefetchd"
            )
        }
    }

    private var version: Finding {
        guard status.version != clientVersion else {
            return Finding("version", .good, "client and daemon are of version \(clientVersion)")
        }
        return Finding(
            "version",
            .trouble,
            "the client is of version \(clientVersion), and the daemon of \(status.version)",
            advice: "Install the same version of both, and restart the daemon"
        )
    }

    private var rights: Finding {
        guard status.mayChange == false else {
            return Finding("rights", .good, "you may look, and change things")
        }
        return Finding(
            "rights",
            .notice,
            "you may look, and change nothing",
            advice:
                "Who may is a matter of groups: control.group and control.write-group in the daemon's settings"
        )
    }

    private var holds: [Finding] {
        (status.holds ?? []).filter { !isOfReserve($0) }.map { hold in
            let text = StatusPage.hold(hold)
            return switch hold.kind {
            case .known(.room):
                Finding(
                    "held",
                    .trouble,
                    text,
                    advice: "Raise documents.maximum-size, or let some go that are kept: facefetch unpin"
                )
            case .known(.disk): Finding("held", .trouble, text, advice: "Make room there")
            case .known(.network):
                Finding("held", .trouble, text, advice: "Connect this machine; work goes on by itself")
            case .known(.storage):
                Finding(
                    "held",
                    .trouble,
                    text,
                    advice:
                        "Put the directory back where it was, or mount it again, so that it can be written to; where it does not answer, see to its disk or file server"
                )
            case .known(.host) where hold.reason.contains(Remedy.asksForBrowser):
                Finding("held", .trouble, text, advice: Remedy.challenge(of: hold.host ?? "that host"))
            case .known(.host): Finding("held", .notice, text, advice: "Work goes on by itself")
            case .known(.proxy):
                Finding(
                    "held",
                    .trouble,
                    text,
                    advice: "Correct the proxy in the daemon's environment; work goes on by itself"
                )
            case .known(.portal):
                Finding(
                    "held",
                    .trouble,
                    text,
                    advice:
                        "Open any page in a browser of this network, and log in there; work goes on by itself"
                )
            case .known(.clock):
                Finding("held", .trouble, text, advice: "Set the clock: timedatectl set-ntp true")
            case .known(.hours):
                Finding(
                    "held",
                    .notice,
                    text,
                    advice: "The timetable says so: transfer.timetable in the daemon's settings"
                )
            case .known(.metered):
                Finding(
                    "held",
                    .notice,
                    text,
                    advice:
                        "Another connection lets it go on, and so does transfer.on-metered in the daemon's settings"
                )
            case .unknown: Finding("held", .trouble, text)
            }
        }
    }

    /// True if documents go to a disk with less room than is kept free there.
    private var isBelowReserve: Bool {
        guard let free = status.disk.freeBytes else { return false }
        return free < status.disk.reserveBytes ?? 0
    }

    /// True for the hold of a disk below its reserve, which ``disk`` tells of.
    private func isOfReserve(_ hold: StatusJSON.Hold) -> Bool {
        isBelowReserve && hold.kind == .known(.disk) && hold.reason.contains("disk.reserve")
    }

    private var disk: [Finding] {
        guard let free = status.disk.freeBytes else {
            // The directories of a daemon that is starting haven't been looked at yet.
            guard status.state != .known(.starting) else { return [] }
            return [
                Finding(
                    "disk",
                    .trouble,
                    "the free space where documents go can't be determined",
                    advice:
                        "Look whether the directory of documents is there: facefetchd check-config names it"
                )
            ]
        }
        let reserve = status.disk.reserveBytes ?? 0
        let text =
            "\(Quantities.bytes(free)) are free where documents go, and \(Quantities.bytes(reserve)) have to stay free"
        if isBelowReserve {
            return [
                Finding(
                    "disk",
                    .trouble,
                    "\(text): downloads wait",
                    advice: "Make room there, or lower disk.reserve"
                )
            ]
        }
        return free < 2 * reserve
            ? [Finding("disk", .notice, text, advice: "Downloads wait when only that is left")]
            : [Finding("disk", .good, text)]
    }

    private var detection: Finding {
        guard status.detection.gate != .known(.held) else {
            return Finding(
                "faces",
                .notice,
                "face detection is held: \(Quantities.count(status.detection.waiting, "document")) waiting",
                advice: "facefetch detection release"
            )
        }
        if let problem = status.detection.problem {
            return Finding(
                "faces",
                .trouble,
                problem.safeForTerminal,
                advice: "facefetch model install gets a network; then reload the daemon"
            )
        }
        switch status.detection.engine {
        case .known(.yunet)?: return Finding("faces", .good, "YuNet, a neural network, looks for faces")
        case .known(.haar)?:
            return Finding(
                "faces",
                .notice,
                "OpenCV's cascade looks for faces; YuNet finds more and much smaller ones",
                advice: EngineWords.advice(status.detection)
            )
        case .unknown(let name)?: return Finding("faces", .good, "\(name) looks for faces")
        case nil:
            return Finding("faces", .good, "no detector has been needed yet, so its engine isn't known")
        }
    }

    private var network: Finding {
        guard let proxy = status.transfers.proxy else {
            return Finding("network", .good, "downloads go out without a proxy")
        }
        return Finding(
            "network",
            .notice,
            "downloads go through the proxy that \(proxy) names",
            advice: "It is in the daemon's environment, as is no_proxy for hosts that are asked without it"
        )
    }

    private var time: Finding {
        guard clock.year >= Clock.earliestYear else {
            return Finding(
                "clock",
                .trouble,
                "this machine's clock shows the year \(clock.year), and no certificate is valid then",
                advice: "Set it: timedatectl set-ntp true"
            )
        }
        switch clock.isSynchronized {
        case true?: return Finding("clock", .good, "the clock is right")
        case false?:
            return Finding(
                "clock",
                .notice,
                "nothing keeps this machine's clock right",
                advice: "Have it synchronized: timedatectl set-ntp true"
            )
        case nil:
            return Finding(
                "clock",
                .good,
                "the clock shows the year \(clock.year); whether anything keeps it right can't be asked here"
            )
        }
    }
}
