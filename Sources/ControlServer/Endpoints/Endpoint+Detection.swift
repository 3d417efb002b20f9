import ControlAPI

extension Endpoint {
    /// The gate between documents and detectors.
    static let detectionGate = GateJSON.Action.allCases.map { action in
        Endpoint(
            .post,
            PathTemplate("/v1/detection/\(action.rawValue)"),
            id: "\(action.rawValue)Detection",
            action.summary
        ) { server, _ in
            try await server.control.setDetectionGate(open: action.state == .open)
            return GateJSON(gate: .known(action.state))
        }
    }
}

extension GateJSON.Action {
    /// What it does, for the document.
    fileprivate var summary: String {
        switch self {
        case .hold: "Makes documents wait until detection is released."
        case .release: "Has documents looked at, first those that waited, in order."
        }
    }

    /// How the gate is after it.
    fileprivate var state: GateJSON.State {
        switch self {
        case .hold: .held
        case .release: .open
        }
    }
}
