import Vocabulary

/// The settings of detection.
extension Keys {
    static let detection = [
        when.row, engine.row, model.row, unknownModel.row, smallFaces.row, turned.row, workers.row,
        workingSize.row,
        timeout.row, cascade.row,
        scaleFactor.row, neighbours.row, minimumFace.row, sandbox.row,
    ]

    static let when = word(
        "detection.when",
        DaemonSettings.Detection.When.self,
        fallback: .always,
        "When documents are looked at: always, attended (while a client follows the events), held, or never (they "
            + "are done without, and facefetch detect looks all the same). A hold or release by a person stays in "
            + "force until this is changed."
    )
    static let engine = word(
        "detection.engine",
        EngineChoice.self,
        fallback: .auto,
        "The engine that looks for faces: auto (yunet where detection.model names its file, or \"facefetch model "
            + "install\" has put one in its place; else haar), "
            + DetectionEngine.allCases.map { "\($0.rawValue) (\($0.about))" }.joined(separator: " or ")
            + "."
    )
    static let model = path(
        "detection.model",
        fallback: "",
        "The file of yunet's network; empty for a known one in /usr/share/facefetch/models, "
            + "/usr/local/share/facefetch/models, or $XDG_DATA_HOME/facefetch/models (~/.local/share if that isn't "
            + "set), where \"facefetch model install\" puts one. It is looked for at the start and at each reload.",
        needsRestart: false
    )
    static let unknownModel = word(
        "detection.unknown-model",
        DaemonSettings.Detection.UnknownModel.self,
        fallback: .refuse,
        "What to do with a file for yunet whose SHA-256 isn't that of a known network: refuse or allow it."
    )
    static let smallFaces = word(
        "detection.small-faces",
        SmallFaces.self,
        fallback: .auto,
        "Whether large pictures are looked at again, in twice the size and more, for small faces: off, auto (where "
            + "the look before says that it pays) or always."
    )
    static let turned = word(
        "detection.turned",
        TurnedLooks.self,
        fallback: .off,
        "Whether pictures in which no face is found are looked at on their side and upside down, too, as scans may "
            + "lie: off, or auto, which takes three more small looks where no face is found."
    )
    static let workers = integer(
        "detection.workers",
        0...256,
        fallback: 0,
        "The maximum number of detector processes; 0 for one per core."
    )
    static let workingSize = integer(
        "detection.working-size",
        160...8192,
        unit: "pixels",
        fallback: 960,
        "The length of the longer side to which pictures are shrunk before haar looks at them first."
    )
    static let timeout = duration(
        "detection.timeout",
        1...3600,
        fallback: "60 s",
        "How long a picture may take before its detector is stopped."
    )

    static let cascade = path(
        "detection.cascade",
        fallback: "",
        "The file of haar's cascade; empty for haarcascade_frontalface_alt.xml from Debian's package opencv-data.",
        needsRestart: false
    )
    static let scaleFactor = SettingKey<Double>(
        name: "detection.scale-factor",
        type: "number",
        fallback: "1.1",
        meaning:
            "The step from one window size of haar to the next: a smaller one finds more and takes longer.",
        expected: "a number from 1.01 to 2"
    ) { raw in raw.text.flatMap { Double($0) }.flatMap { (1.01...2).contains($0) ? $0 : nil } }
    static let neighbours = integer(
        "detection.neighbours",
        0...100,
        fallback: 3,
        "haar reports a face where more than this many windows overlap: a smaller number finds more and invents more."
    )
    static let minimumFace = integer(
        "detection.minimum-face",
        10...8192,
        unit: "pixels",
        fallback: 30,
        "The smallest face that haar looks for, measured in the picture shrunk to detection.working-size."
    )
    static let sandbox = word(
        "detection.sandbox",
        DaemonSettings.Detection.Sandbox.self,
        fallback: .available,
        "What to do on a kernel without Landlock: available goes on with the rest of the sandbox and says so, "
            + "required ends the daemon."
    )
}
