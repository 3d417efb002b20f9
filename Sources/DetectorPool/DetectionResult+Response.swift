import DetectorProtocol
import JobCore

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
