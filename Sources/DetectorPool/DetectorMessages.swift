import DetectorProtocol
import JobCore

extension DetectorRequest {
    /// What a detector is asked.
    init(_ request: DetectionRequest) {
        self.init(id: request.job.rawValue, path: request.path, engine: request.engine?.rawValue)
    }
}

extension DetectorIdentity {
    /// An engine that a detector has offered.
    init(_ engine: DetectorGreeting.Engine) {
        self.init(engine: engine.name, parameters: engine.parameters)
    }
}

extension DetectionResult {
    /// What a detector has answered.
    init(_ response: DetectorResponse) {
        self.init(
            outcome: response.outcome == .counted ? .counted : .unreadable,
            faces: response.faces.map {
                Face(x: $0.x, y: $0.y, width: $0.width, height: $0.height, confidence: $0.confidence)
            },
            engine: response.engine,
            parameters: response.parameters,
            seconds: response.seconds
        )
    }
}
