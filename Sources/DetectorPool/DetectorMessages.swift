import DetectorProtocol
import JobCore

extension DetectorRequest {
    /// What a detector is asked.
    init(_ look: Look) {
        self.init(id: look.number, path: look.request.path, engine: look.request.engine?.rawValue)
    }
}

extension DetectorIdentity {
    /// An engine that a detector has offered.
    init(_ engine: DetectorGreeting.Engine) {
        self.init(engine: engine.name, parameters: engine.parameters)
    }
}
