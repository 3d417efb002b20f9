import ControlAPI

/// The settings, each defined once.
enum Keys {
    // MARK: disk

    static let disk = [reserve.row]

    static let reserve = size(
        "disk.reserve",
        0...1 << 50,
        unit: "bytes",
        fallback: "256 MiB",
        "Space that stays free where the documents are; downloads wait rather than take it."
    )

    // MARK: detection

    static let detection = [
        when.row, engine.row, model.row, workers.row, workingSize.row, timeout.row, cascade.row,
        scaleFactor.row, neighbours.row, minimumFace.row, sandbox.row,
    ]

    static let when = word(
        "detection.when",
        DaemonSettings.Detection.When.self,
        fallback: .always,
        "When documents are looked at: always, attended (while a client follows the events) or held. "
            + "A person's detection hold or release lasts until this is changed."
    )
    static let engine = word(
        "detection.engine",
        DetectionJSON.Engine.self,
        fallback: .haar,
        "Who looks for faces: haar (an OpenCV cascade) or yunet (a neural network; needs detection.model)."
    )
    static let model = path(
        "detection.model",
        fallback: "",
        "The file of yunet's network, face_detection_yunet_2023mar.onnx of OpenCV's model zoo; empty for no yunet.",
        needsRestart: false
    )
    static let workers = integer(
        "detection.workers",
        0...256,
        fallback: 0,
        "The most detector processes at once; 0 for one a core."
    )
    static let workingSize = integer(
        "detection.working-size",
        160...8192,
        unit: "pixels",
        fallback: 960,
        "The longer side that pictures are shrunk to before faces are looked for."
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
        "The file of haar's cascade; empty for haarcascade_frontalface_alt.xml of Debian's package opencv-data.",
        needsRestart: false
    )
    static let scaleFactor = SettingKey<Double>(
        name: "detection.scale-factor",
        type: "number",
        fallback: "1.1",
        meaning: "The step from one window size of haar to the next: less finds more, and takes longer.",
        expected: "a number from 1.01 to 2"
    ) { raw in raw.text.flatMap { Double($0) }.flatMap { (1.01...2).contains($0) ? $0 : nil } }
    static let neighbours = integer(
        "detection.neighbours",
        0...100,
        fallback: 4,
        "A face of haar needs more overlapping windows than this: less finds more, and invents more."
    )
    static let minimumFace = integer(
        "detection.minimum-face",
        10...8192,
        unit: "pixels",
        fallback: 30,
        "The smallest face that haar looks for, in a picture shrunk to detection.working-size."
    )
    static let sandbox = word(
        "detection.sandbox",
        DaemonSettings.Detection.Sandbox.self,
        fallback: .available,
        "What becomes of a kernel without Landlock: available goes on with the rest of the sandbox and says so, "
            + "required ends the daemon."
    )

    // MARK: control

    static let control = [group.row, writeGroup.row]

    static let group = group(
        "control.group",
        "Whose members may use the control socket, also one that systemd made; empty for those who can connect "
            + "(the daemon's own group, where it makes the socket itself)."
    )
    static let writeGroup = group(
        "control.write-group",
        "Whose members may change things, where the others may only look; empty lets everyone who can connect."
    )

    // MARK: log

    static let log = [level.row]

    static let level = word(
        "log.level",
        DaemonSettings.Log.Level.self,
        fallback: .info,
        "What goes to standard error and the journal: error, warning (with failed and waiting jobs), "
            + "notice, info (with all events) or debug. The event log has all events whatever this says."
    )

    // MARK: paths

    static let paths = [state.row, documents.row, socket.row, eventLog.row]

    static let state = path(
        "paths.state",
        fallback: "",
        "The directory of the store and the partial files (--state-dir)."
    )
    static let documents = path(
        "paths.documents",
        fallback: "",
        "The directory of the finished files (--documents-dir)."
    )
    static let socket = path("paths.socket", fallback: "", "The control socket (--socket).")
    static let eventLog = path("paths.event-log", fallback: "", "The event log (--event-log).")
}

extension Keys {
    static func integer(
        _ name: String,
        _ range: ClosedRange<Int>,
        unit: String = "",
        fallback: Int,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Int> {
        SettingKey(
            name: name,
            type: "integer",
            unit: unit,
            fallback: "\(fallback)",
            meaning: meaning,
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)",
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil } }
    }

    static func size(
        _ name: String,
        _ range: ClosedRange<Int64>,
        unit: String,
        fallback: String,
        _ meaning: String
    ) -> SettingKey<Int64> {
        SettingKey(
            name: name,
            type: "size",
            unit: unit,
            fallback: fallback,
            meaning: meaning,
            expected: range.lowerBound > 0
                ? "a size of at least \(range.lowerBound), such as 500000, 256 MiB or 2 GB"
                : "a size such as 500000, 256 MiB or 2 GB"
        ) { raw in raw.text.flatMap(Amount.bytes).flatMap { range.contains($0) ? $0 : nil } }
    }

    static func duration(
        _ name: String,
        _ range: ClosedRange<Double>,
        fallback: String,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Double> {
        SettingKey(
            name: name,
            type: "duration",
            unit: "seconds",
            fallback: fallback,
            meaning: meaning,
            expected: "a duration from \(Amount.words(seconds: range.lowerBound)) to "
                + Amount.words(seconds: range.upperBound),
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap(Amount.seconds).flatMap { range.contains($0) ? $0 : nil } }
    }

    static func word<Word: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ words: Word.Type,
        fallback: Word,
        _ meaning: String,
        needsRestart: Bool = false
    ) -> SettingKey<Word> where Word.RawValue == String {
        SettingKey(
            name: name,
            type: "word",
            fallback: fallback.rawValue,
            meaning: meaning,
            expected: words.allCases.map(\.rawValue).joined(separator: ", "),
            needsRestart: needsRestart
        ) { raw in raw.text.flatMap(Word.init(rawValue:)) }
    }

    static func path(
        _ name: String,
        fallback: String,
        _ meaning: String,
        needsRestart: Bool = true
    ) -> SettingKey<String?> {
        SettingKey(
            name: name,
            type: "path",
            fallback: fallback,
            meaning: meaning,
            expected: "an absolute path",
            needsRestart: needsRestart
        ) { raw in
            guard let text = raw.text, !text.isEmpty else { return .some(nil) }
            guard text.hasPrefix("/"), !text.utf8.contains(0), text.utf8.count < 4096 else { return nil }
            return .some(Places.normalized(text))
        }
    }

    static func group(_ name: String, _ meaning: String) -> SettingKey<DaemonSettings.Group?> {
        SettingKey(
            name: name,
            type: "group",
            fallback: "",
            meaning: meaning,
            expected: "the name of a group that exists",
            needsRestart: true
        ) { raw in
            guard let text = raw.text, !text.isEmpty else { return .some(nil) }
            return DaemonSettings.Group(named: text).map { .some($0) }
        }
    }
}
