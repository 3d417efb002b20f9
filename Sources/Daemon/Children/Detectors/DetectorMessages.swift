import DetectorProtocol
import JobModel

extension DetectorRequest {
    /// Creates the message that asks a detector.
    init(_ look: Look) {
        let size = PictureSize.thumb
        self.init(
            id: look.number,
            path: look.request.path,
            engine: look.request.engine?.rawValue,
            thumbnail: look.wantsThumbnail
                ? Thumbnail(side: size.side, quality: size.quality, limit: size.limit) : nil
        )
    }
}

extension DetectorIdentity {
    /// Creates the identity of an engine that a detector offers.
    init(_ engine: DetectorGreeting.Engine) {
        self.init(engine: engine.name, parameters: engine.parameters)
    }
}
