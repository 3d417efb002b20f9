import JobCore
import JobModel
import Vocabulary

extension EngineHold {
    /// Tells of a host at which nothing is begun; nil for any other.
    init?(_ host: HostStatus) {
        guard let waiting = host.waiting else { return nil }
        let does =
            switch waiting.kind {
            case .asked: "asks everybody to wait"
            case .failing: "fails"
            case .certificate: "is left alone"
            case .challenge: "asks for a browser"
            }
        self.init(
            kind: .host,
            reason: "\(host.host) \(does): \(waiting.reason)",
            until: waiting.until,
            host: host.host
        )
    }

    /// Tells of a line on which nothing gets through.
    init(_ outage: LinePatience.Outage) {
        let (kind, words): (HoldKind, String) =
            switch outage.part {
            case .network: (.network, "no host can be reached")
            case .proxy: (.proxy, "nothing gets through the proxy")
            case .portal: (.portal, "a portal answers instead of the hosts")
            }
        let reason = "\(words): downloads wait, and don't use up their tries (\(outage.reason))"
        self.init(kind: kind, reason: reason, until: outage.probesAt)
    }
}
