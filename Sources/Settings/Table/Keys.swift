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
        "Free space to leave on the disk that documents are on; downloads wait rather than use it."
    )

    // MARK: documents

    static let documentFiles = [sidecar.row]

    static let sidecar = word(
        "documents.sidecar",
        DaemonSettings.Documents.Sidecar.self,
        fallback: .none,
        "What to write beside documents with faces: none, or xmp (NAME.xmp with their boxes, for photo programs). "
            + "It begins with what is looked at after that; facefetch export --format xmp does the others. "
            + "Sidecars of other programs are never changed."
    )

    // MARK: detection

    static let detection = [
        when.row, engine.row, model.row, unknownModel.row, smallFaces.row, workers.row, workingSize.row,
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
        DaemonSettings.Detection.EngineChoice.self,
        fallback: .auto,
        "The engine that looks for faces: auto (yunet where detection.model names its file, else haar), "
            + DetectionJSON.Engine.allCases.map { "\($0.rawValue) (\($0.about))" }.joined(separator: " or ")
            + "."
    )
    static let model = path(
        "detection.model",
        fallback: "",
        "The file of yunet's network; empty to do without yunet. facefetch-detector(1) says where to get one.",
        needsRestart: false
    )
    static let unknownModel = word(
        "detection.unknown-model",
        DaemonSettings.Detection.UnknownModel.self,
        fallback: .refuse,
        "What to do with a file for yunet whose SHA-256 isn't that of a network known: refuse or allow it."
    )
    static let smallFaces = word(
        "detection.small-faces",
        DaemonSettings.Detection.SmallFaces.self,
        fallback: .auto,
        "Whether large pictures are looked at again, in twice the size and more, for small faces: off, auto (where "
            + "the look before says that it pays) or always."
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

    // MARK: gallery

    static let gallery = [galleryCache.row]

    static let galleryCache = size(
        "gallery.cache",
        0...1 << 50,
        unit: "bytes",
        fallback: "4 GiB",
        "How much room thumbnails and larger pictures of documents may take on the disk, so that they need not be "
            + "made again each time; those used longest ago make room. 0 keeps none, and makes thumbnails only when "
            + "somebody looks."
    )

    // MARK: control

    static let control = [group.row, writeGroup.row]

    static let group = group(
        "control.group",
        "The group whose members may use the control socket, even one made by systemd; empty for everyone who "
            + "can connect (where the daemon makes the socket: members of its own group)."
    )
    static let writeGroup = group(
        "control.write-group",
        "The group whose members may change things, while others may only look; empty for everyone who can connect."
    )

    // MARK: webhook

    static let webhook = [webhookURL.row, webhookEndings.row, webhookSecretFile.row]

    static let webhookURL = SettingKey<String?>(
        name: "webhook.url",
        type: "text",
        fallback: "",
        meaning:
            "Where to post what jobs come to, as CloudEvents; empty for nowhere. It begins with what ends "
            + "after that, in order, and goes on over restarts until the receiver has taken it. No proxy is used.",
        expected: "a URL that begins with https:// or http://",
        mayHoldToken: true
    ) { raw in
        guard let text = raw.text, !text.isEmpty else { return .some(nil) }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && text.utf8.count <= 2000
        let rest = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }.map {
            text.dropFirst($0.count)
        }
        guard isPlain, let rest, let first = rest.first, first != "/" else { return nil }
        return .some(text)
    }
    static let webhookEndings = SettingKey<[DaemonSettings.Webhook.Ending]>(
        name: "webhook.endings",
        type: "list",
        fallback: "done, failed",
        meaning: "What the webhook tells of.",
        expected: "a list of "
            + DaemonSettings.Webhook.Ending.allCases.map(\.rawValue).joined(separator: ", ")
    ) { raw in
        let endings = raw.items.map(DaemonSettings.Webhook.Ending.init(rawValue:))
        return endings.isEmpty || endings.contains(nil) ? nil : endings.compactMap { $0 }
    }
    static let webhookSecretFile = path(
        "webhook.secret-file",
        fallback: "",
        "A file with the secrets that sign the webhook's requests (Standard Webhooks), whsec_…, one per line, "
            + "which others must not be able to read; empty to send them unsigned.",
        needsRestart: false
    )

    // MARK: log

    static let log = [level.row]

    static let level = word(
        "log.level",
        DaemonSettings.Log.Level.self,
        fallback: .info,
        "What goes to standard error and the journal: error, warning (with failed and waiting jobs), "
            + "notice, info (with all events) or debug. The event log always has all events."
    )

    // MARK: sources, secrets

    static let sources = [sourcesDirectory.row]

    static let sourcesDirectory = path(
        "sources.directory",
        fallback: "",
        "The directory of recipes for sources, *.yaml and *.json, which are applied at the start and with each reload.",
        needsRestart: false
    )

    static let secrets = [secretsDirectory.row]

    static let secretsDirectory = path(
        "secrets.directory",
        fallback: "",
        "The directory of the secrets that recipes name, a file each; systemd's credentials go before them."
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
