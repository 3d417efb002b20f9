import ControlAPI
import Vocabulary

/// The findings about what the daemon works on, and tells others of.
extension Examination {
    var stuckSources: [Finding] {
        if let obstacleToSources {
            return [Finding("source", .notice, "the sources can't be looked at: \(obstacleToSources)")]
        }
        return sources.compactMap { source in
            let name = source.name
            let error =
                source.lastError.map { ": \($0.message)" } ?? source.state.reason.map { ": \($0)" } ?? ""
            switch source.state.code {
            case .known(.failed) where source.lastError?.code == ProblemCode.badRecipe.rawValue:
                return Finding(
                    "source",
                    .trouble,
                    "\(name) has failed\(error)",
                    advice:
                        "Replace it: facefetch source apply FILE; or remove it: facefetch source remove \(name)"
                )
            case .known(.failed):
                return Finding(
                    "source",
                    .trouble,
                    "\(name) has failed\(error)",
                    advice: "Mend what it says, then: facefetch source poll \(name)"
                )
            case .known(.waiting):
                return Finding(
                    "source",
                    .notice,
                    "\(name) waits\(error)",
                    advice: "It goes on by itself; at once with: facefetch source poll \(name)"
                )
            default: return nil
            }
        }
    }

    var jobs: [Finding] {
        guard let failed = status.jobs[.known(.failed)], failed > 0 else { return [] }
        return [
            Finding(
                "jobs",
                .notice,
                "\(Quantities.count(failed, "job")) failed",
                advice: "facefetch list --state failed says why; facefetch retry --state failed tries again"
            )
        ]
    }

    var delivery: [Finding] {
        guard let webhook = status.webhook else { return [] }
        let error = webhook.lastError.map { ": \($0)" } ?? ""
        switch webhook.state {
        case .known(.stopped):
            return [
                Finding(
                    "webhook",
                    .trouble,
                    "its receiver has said that it wants nothing more\(error)",
                    advice: "Give another webhook.url, or reload the daemon to begin again"
                )
            ]
        case .known(.waiting):
            return [
                Finding(
                    "webhook",
                    .notice,
                    "it is \(Quantities.grouped(webhook.lag)) behind\(error)",
                    advice: "It is tried again by itself"
                )
            ]
        default: return []
        }
    }
}
