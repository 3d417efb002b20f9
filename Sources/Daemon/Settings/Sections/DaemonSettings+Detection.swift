import Vocabulary

extension DaemonSettings {
    /// Face detection.
    public struct Detection: Hashable, Sendable {
        /// The time when documents are looked at.
        public var when: When
        /// The engine, as it was said; see ``looking``.
        public var engine: EngineChoice
        /// The file of yunet's network, as it was said; see ``network``.
        public var model: String?
        /// The network's file that was found where ``model`` names none.
        public var found: FoundModel?
        /// The treatment of a network for yunet that isn't known.
        public var unknownModel: UnknownModel
        /// The choice whether large pictures are looked at again for small faces.
        public var smallFaces: SmallFaces
        /// The choice whether pictures without faces are looked at on their side, too.
        public var turned: TurnedLooks
        /// The file of haar's cascade; nil for the one that comes with OpenCV.
        public var cascade: String?
        /// The step between the window sizes of haar, above 1.
        public var scaleFactor: Double
        /// The number of overlapping windows that a face found by haar must exceed.
        public var neighbours: Int
        /// The smallest face of haar, in pixels at working size.
        public var minimumFace: Int
        /// The treatment of kernels that don't support the whole sandbox.
        public var sandbox: Sandbox
        /// The most detector processes at once; 0 for one per core.
        public var workers: Int
        /// The longer side that pictures are shrunk to, in pixels.
        public var workingSize: Int
        /// The time limit for a picture in seconds.
        public var timeout: Double

        /// The engine that looks where a request names none.
        public var looking: DetectionEngine { engine.engine(hasNetwork: network != nil) }

        /// The file of yunet's network: the one that ``model`` names, or else the one that was found; nil if
        /// there is none, and so no yunet.
        public var network: String? { model ?? found?.path }

        /// A known network's file that lies where such files are looked for.
        public struct FoundModel: Hashable, Sendable {
            /// Its path.
            public var path: String
            /// The name by which people ask for the network.
            public var name: String

            public init(path: String, name: String) {
                self.path = path
                self.name = name
            }
        }

        /// The treatment of networks that aren't known.
        public enum UnknownModel: String, CaseIterable, Sendable {
            /// The daemon doesn't start with one.
            case refuse
            /// One is taken for a network like those known.
            case allow
        }

        /// The treatment of kernels that can't give all of the sandbox.
        public enum Sandbox: String, CaseIterable, Sendable {
            /// The daemon reports it, and goes on with the rest of the sandbox.
            case available
            /// The daemon doesn't start.
            case required
        }

        /// A choice of when documents are looked at.
        public enum When: String, CaseIterable, Sendable {
            /// Documents are looked at as they arrive.
            case always
            /// Documents are looked at while at least one client follows the events.
            case attended
            /// Documents wait for `detection release`.
            case held
            /// Documents are looked at only where somebody asks for it.
            case never
        }
    }
}

extension DaemonSettings.Detection {
    /// Reads the section, in the order of the table.
    ///
    /// `findModel` looks for a network's file, which is done where none is named.
    init(
        _ reader: inout SettingsReader,
        findModel: () -> FoundModel?
    ) throws(SettingsReader.BadDefault) {
        when = try reader.value(Keys.when)
        engine = try reader.value(Keys.engine)
        model = try reader.value(Keys.model)
        unknownModel = try reader.value(Keys.unknownModel)
        smallFaces = try reader.value(Keys.smallFaces)
        turned = try reader.value(Keys.turned)
        workers = try reader.value(Keys.workers)
        workingSize = try reader.value(Keys.workingSize)
        timeout = try reader.value(Keys.timeout)
        cascade = try reader.value(Keys.cascade)
        scaleFactor = try reader.value(Keys.scaleFactor)
        neighbours = try reader.value(Keys.neighbours)
        minimumFace = try reader.value(Keys.minimumFace)
        sandbox = try reader.value(Keys.sandbox)
        found = model == nil ? findModel() : nil
        if looking.needsModel, network == nil { reader.requireModel(of: looking) }
    }
}

extension SettingsReader {
    /// Adds the error that the engine needs a file.
    fileprivate mutating func requireModel(of engine: DetectionEngine) {
        let source = effective.first { $0.key == "detection.engine" }?.source.description ?? "default"
        report(
            place: source,
            key: "detection.model",
            "the engine \(engine.rawValue) needs a network: \"facefetch model install\" gets one, or give the path of "
                + "its ONNX file here"
        )
    }
}
