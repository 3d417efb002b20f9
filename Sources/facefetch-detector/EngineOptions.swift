import ArgumentParser
import FaceDetection

/// The engine and how it looks, as chosen on the command line.
struct EngineOptions: ParsableArguments {
    enum Name: String, ExpressibleByArgument, CaseIterable {
        case haar, yunet
    }

    /// The engines there are, in one text.
    static func names(_ separator: String) -> String {
        Name.allCases.map(\.rawValue).joined(separator: separator)
    }

    /// What each of them needs, and what its confidence means.
    static let discussion = """
        The engine "haar" needs nothing further; its confidence is the sum
        of the cascade's last stage, which has no upper bound. The engine
        "yunet" finds more; it needs face_detection_yunet_2023mar.onnx of
        OpenCV's model zoo, and its confidence goes from 0 to 1.
        """

    @Option(help: ArgumentHelp("The engine that looks for faces: \(names(" or ")).", valueName: "engine"))
    var engine = Name.haar

    @Option(
        help: ArgumentHelp(
            "The network for yunet: face_detection_yunet_2023mar.onnx.",
            valueName: "file"
        ),
        completion: .file()
    )
    var model: String?

    @Option(help: ArgumentHelp("The cascade for haar.", valueName: "file"), completion: .file())
    var cascade = HaarSettings().cascade

    @Option(help: ArgumentHelp("Pixels of a picture's long side for haar, 64 to 8192.", valueName: "pixels"))
    var workingSize = HaarSettings().workingSize

    @Option(help: ArgumentHelp("The step between window sizes for haar, above 1 to 2.", valueName: "factor"))
    var scaleFactor = HaarSettings().scaleFactor

    @Option(help: ArgumentHelp("Windows that must agree on a face for haar, 0 to 100.", valueName: "count"))
    var neighbours = HaarSettings().neighbours

    @Option(
        help: ArgumentHelp(
            "The smallest face for haar, in pixels at working size, 10 to 8192.",
            valueName: "pixels"
        )
    )
    var minimumFace = HaarSettings().minimumFace

    func validate() throws {
        if engine == .yunet, model == nil {
            throw ValidationError("--engine yunet needs --model FILE, face_detection_yunet_2023mar.onnx")
        }
        guard (64...8192).contains(workingSize) else {
            throw ValidationError("--working-size is \(workingSize); give 64 to 8192")
        }
        guard scaleFactor > 1.001, scaleFactor <= 2 else {
            throw ValidationError("--scale-factor is \(scaleFactor); give more than 1.001, at most 2")
        }
        guard (0...100).contains(neighbours) else {
            throw ValidationError("--neighbours is \(neighbours); give 0 to 100")
        }
        guard (10...8192).contains(minimumFace) else {
            throw ValidationError("--minimum-face is \(minimumFace); give 10 to 8192")
        }
    }

    /// Loads the engine and lets it look once, at nothing, so that whatever
    /// libraries load late is loaded before the sandbox is closed.
    ///
    /// What is wrong with the engine's file is wrong with the command line.
    func load() throws -> any FaceEngine { try load(engine) }

    /// Loads every engine whose files are there, the one that was chosen first.
    ///
    /// A model that is named has to be good, whoever was chosen; the cascade
    /// has to be there only for who wants it.
    func loadAll() throws -> [any FaceEngine] {
        let chosen = try load(engine)
        switch engine {
        case .haar: return model == nil ? [chosen] : [chosen, try load(.yunet)]
        case .yunet: return [chosen] + [try? load(.haar)].compactMap { $0 }
        }
    }

    private func load(_ name: Name) throws -> any FaceEngine {
        let engine = try open(name)
        _ = try engine.faces(in: .blank)
        return engine
    }

    private func open(_ name: Name) throws -> any FaceEngine {
        do throws(EngineFailure) {
            switch name {
            case .haar:
                var settings = HaarSettings()
                settings.cascade = cascade
                settings.workingSize = workingSize
                settings.scaleFactor = scaleFactor
                settings.neighbours = neighbours
                settings.minimumFace = minimumFace
                return try HaarEngine(settings: settings)
            case .yunet:
                return try YuNetEngine(settings: YuNetSettings(model: model ?? ""))
            }
        } catch {
            throw ValidationError(error.description)
        }
    }
}
