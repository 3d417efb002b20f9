import ArgumentParser
import DetectorProtocol
import FaceDetection
import Vocabulary

/// The engine and its parameters, as chosen on the command line.
struct EngineOptions: ParsableArguments {
    /// Returns the names of all engines as one text.
    static func names(_ separator: String) -> String {
        EngineChoice.allCases.map(\.rawValue).joined(separator: separator)
    }

    /// A description of what each engine needs, and of its confidence.
    static let discussion = """
        The engine "haar" needs nothing further; its confidence is the sum
        of the cascade's last stage, which has no upper bound. The engine
        "yunet" finds more, and smaller faces, and invents less; it needs
        the file of a neural network, which "facefetch model install" gets,
        and its confidence goes from 0 to 1. "auto" is yunet where --model
        names such a file or a known one lies in a folder named below, and
        haar where there is none.

        A large picture is shrunk before it is looked at, which loses small
        faces. With --small-faces auto, it is looked at again at twice the
        size, and again, where the look before found faces almost too small
        for it, or the first one none that are large; a face seen in several
        looks is counted once. "off" never looks again, "always" does where
        the picture has the pixels. A very large picture, up to a gigapixel,
        is looked at in tiles at last, which takes no more memory.

        With --turned auto, a picture in which no face is found is looked at
        on its side and upside down, too, in the first size: scans lie like
        that whose files don't say so. Boxes are those of the picture as it
        is. That takes three more looks where no face is found, and some of
        the faces that it then finds are none.
        """

    /// Instructions for getting and installing the networks that yunet knows; none comes with facefetch.
    static let models =
        ([
            "NETWORKS FOR YUNET",
            "Neither facefetch nor its package comes with one. Those known by their SHA-256 are:",
        ]
        + FaceNetwork.all.map { network in
            """
              \(network.name): \(network.file), which \(network.about) (\(network.licence)):
            \(network.address)
              \(network.sha256)
            """
        }
        + [
            """
            "facefetch model install" gets one and puts it where it is found, by
            the detector and by the daemon, which looks when it starts and at
            each reload:
              \(NetworkFolders.packages)
              \(NetworkFolders.machine)
              $XDG_DATA_HOME/facefetch/models, of the user that it runs as
            Where there are several, the first of those above looks. "facefetchd
            check-config" and "facefetch status" say which engine looks. Another
            network with outputs like theirs is taken with --model and
            --allow-unknown-model (for the daemon, detection.model and
            detection.unknown-model: allow); how well it does, nobody here has
            measured.
            """
        ]).joined(separator: "\n")

    @Option(help: ArgumentHelp("The engine that looks for faces: \(names(" or ")).", valueName: "engine"))
    var engine = EngineChoice.auto

    @Option(
        help: ArgumentHelp(
            "The network for yunet: \(FaceNetwork.all.map(\.file).joined(separator: " or ")).",
            valueName: "file"
        ),
        completion: .file()
    )
    var model: String?

    @Flag(help: "Take a network for yunet that isn't one of those known.")
    var allowUnknownModel = false

    @Option(
        help: ArgumentHelp(
            "Larger looks, for small faces: \(SmallFaces.allCases.map(\.rawValue).joined(separator: ", ")).",
            discussion: "auto by default, and always for --redact.",
            valueName: "when"
        )
    )
    var smallFaces: SmallFaces?

    @Option(
        help: ArgumentHelp(
            "Looks at the picture on its side where no face is found: "
                + TurnedLooks.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "when"
        )
    )
    var turned = TurnedLooks.off

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

    /// The engine that looks unless a request names another one.
    var looking: DetectionEngine { engine.engine(hasNetwork: network != nil) }

    /// The file of the network for yunet; nil if there is none.
    ///
    /// For haar, where that is asked for, nobody looks for one.
    private var network: String? {
        if model != nil || engine == .haar { return model }
        return FoundNetwork.find(in: NetworkFolders.all())?.path
    }

    func validate() throws {
        if engine == .yunet, network == nil {
            throw ValidationError(
                "--engine yunet needs a network: get one with \"facefetch model install\", or name its file with "
                    + "--model"
            )
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

    /// Loads the engine and lets it look at a blank picture, so that whatever libraries load late is
    /// loaded before the sandbox is closed.
    ///
    /// An error in the engine's file is reported as an error in the command line.
    func load() throws -> any FaceEngine { try load(looking) }

    /// Loads every engine whose files exist, the chosen one first.
    ///
    /// A named model must be valid, whichever engine was chosen; the cascade must exist only if it was
    /// chosen.
    func loadAll() throws -> [any FaceEngine] {
        let chosen = try load(looking)
        switch looking {
        case .haar: return model == nil ? [chosen] : [chosen, try load(.yunet)]
        case .yunet: return [chosen] + [try? load(.haar)].compactMap { $0 }
        }
    }

    private func load(_ name: DetectionEngine) throws -> any FaceEngine {
        let engine = try open(name)
        _ = try engine.candidates(in: .blank)
        return engine
    }

    private func open(_ name: DetectionEngine) throws -> any FaceEngine {
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
                var settings = YuNetSettings(model: network ?? "")
                settings.allowsUnknownModel = model != nil && allowUnknownModel
                return try YuNetEngine(settings: settings)
            }
        } catch {
            throw ValidationError(error.description)
        }
    }
}

extension EngineChoice: ExpressibleByArgument {}

extension SmallFaces: ExpressibleByArgument {}

extension TurnedLooks: ExpressibleByArgument {}
