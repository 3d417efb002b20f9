import JobModel

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

    static let documentFiles = [
        documentSpace.row, layout.row, sidecar.row, documentTimes.row, documentExtensions.row,
    ]

    static let documentSpace = size(
        "documents.maximum-size",
        0...1 << 50,
        unit: "bytes",
        fallback: "0",
        "How much room the documents of sources with keep: evictable may take, all together; 0 for any. Those served "
            + "least recently are removed to make room, but none that somebody looks at, has pinned or has changed, "
            + "and none that is still to be looked at; results stay. Where nothing may be removed, downloads of these "
            + "sources wait. Other documents, and those whose jobs were forgotten, don't count, and are never removed."
    )

    static let layout = SettingKey<DocumentLayout>(
        name: "documents.layout",
        type: "text",
        fallback: "",
        meaning:
            "Folders for documents, in the documents directory, such as {host}/{year}-{month}: {host}, {batch} (b7), "
            + "{source} (left out for files that no source has), {year}, {month} and {day} (of arrival, in UTC), and "
            + "{sha2} (the first two hexadecimal digits of the SHA-256); at most 8 levels. Empty for no folders. It "
            + "holds for what arrives from now on; a folder that a file was added with goes before it.",
        expected: "a path of at most 8 folders, with placeholders such as {host}",
        objection: { raw in
            do throws(DocumentLayout.Refusal) { _ = try DocumentLayout(template: raw.text ?? "/") } catch {
                return error.message
            }
            return nil
        },
        parse: { raw in raw.text.flatMap { try? DocumentLayout(template: $0) } }
    )

    static let sidecar = word(
        "documents.sidecar",
        DaemonSettings.Documents.Sidecar.self,
        fallback: .none,
        "What to write beside documents with faces: none, or xmp (NAME.xmp with their boxes, for photo programs). "
            + "It begins with what is looked at after that; facefetch export --format xmp does the others. "
            + "Sidecars of other programs are never changed."
    )

    static let documentTimes = word(
        "documents.times",
        DaemonSettings.Documents.Times.self,
        fallback: .server,
        "The time that a document has: server (that of its last change, where the server says so and it isn't in the "
            + "future) or arrival."
    )

    static let documentExtensions = word(
        "documents.extensions",
        DaemonSettings.Documents.Extensions.self,
        fallback: .adjust,
        "What becomes of names whose extension is not that of the picture inside: adjust (photo.php becomes photo.jpg, "
            + "photo becomes photo.jpg) or keep. Names that somebody gave stay as they are."
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

    // MARK: log

    static let log = [level.row, stepsFrom.row]

    static let level = word(
        "log.level",
        DaemonSettings.Log.Level.self,
        fallback: .info,
        "What goes to standard error and the journal: error, warning (with failed and waiting jobs), "
            + "notice, info (with all events) or debug. The event log always has all events."
    )

    static let stepsFrom = size(
        "log.steps-from",
        0...1 << 50,
        unit: "bytes",
        fallback: "0",
        "The size from which downloads have a line, and an event, for every ten percent; smaller files have one when "
            + "they start and one when they end. 0 for all files."
    )

    // MARK: jobs

    static let jobs = [keep.row]

    static let keep = durationOrForever(
        "jobs.keep",
        60...3.2e9,
        "How long jobs that have ended are kept, such as 90d. Then they are forgotten, as facefetch forget does it: they "
            + "are in no list any more, nor are their faces, but their documents stay, and a source doesn't fetch them "
            + "again. Programs that read on later than that miss them, and their documents no longer count towards "
            + "documents.maximum-size. In a day no more than a tenth of them are forgotten, or twice what grows old enough, "
            + "since the clock may be wrong."
    )

    // MARK: sources, watch, secrets

    static let sources = [sourcesDirectory.row]

    static let sourcesDirectory = path(
        "sources.directory",
        fallback: "",
        "The directory of recipes for sources, *.yaml and *.json, which are applied at the start and with each reload.",
        needsRestart: false
    )

    static let watch = [watchDirectory.row]

    static let watchDirectory = path(
        "watch.directory",
        fallback: "",
        "A folder whose files are added once they have not changed for 3 seconds: recipes (.yaml, .yml), tables (.csv, "
            + ".tsv, .jsonl) and other lists with a URL on each line. They are then called NAME.added, or lie in failed "
            + "with the reason beside them. Links, empty files and names like .NAME, NAME.part, NAME.tmp or NAME~ are "
            + "left alone. Empty for none.",
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
