import ControlAPI
import Vocabulary

/// Words about the engine that looks for faces, and about how to have the other one look.
enum EngineWords {
    /// Returns a line about the engine; nil while it isn't known.
    static func line(_ detection: StatusJSON.Detection) -> String? {
        if let problem = detection.problem { return problem.safeForTerminal }
        return switch detection.engine {
        case .known(.yunet)?: "yunet, a neural network; OpenCV's cascade looks with detection.engine: haar"
        case .known(.haar)?: "haar, OpenCV's cascade; " + remedy(detection)
        case .unknown(let name)?: name
        case nil: nil
        }
    }

    private static func remedy(_ detection: StatusJSON.Detection) -> String {
        detection.hasNetwork == true
            ? "YuNet is there, too, and looks with detection.engine: auto"
            : "YuNet finds more and invents less: facefetch model install"
    }

    /// The advice for whoever has faces looked for by OpenCV's cascade.
    static func advice(_ detection: StatusJSON.Detection) -> String {
        detection.hasNetwork == true
            ? "Its network is there: it looks with detection.engine: auto in the daemon's settings"
            : "Get its network, and reload the daemon: facefetch model install"
    }
}
