extension ExportedJob {
    /// Reads a job from the control socket's JSON, ignoring members that it doesn't know.
    ///
    /// - Throws: ``NoJob`` if the text isn't one.
    public init(json: [UInt8]) throws(NoJob) {
        self = try JSONScanner.read(json, in: json.indices) { (scanner) throws(NoJob) in
            try ExportedJob(&scanner)
        }
    }

    init(_ scanner: inout JSONScanner) throws(NoJob) {
        var job = ExportedJob(id: 0)
        try scanner.object { (scanner, key) throws(NoJob) in
            switch key {
            case "id":
                job.id = try scanner.integer()
            case "batch":
                job.batch = try scanner.integer()
            case "state":
                job.state = try scanner.string()
            case "ending":
                job.ending = try scanner.stringOrNull()
            case "ended":
                job.ended = try scanner.integerOrNull()
            case "name":
                job.name = try scanner.string()
            case "folder":
                job.folder = try scanner.stringOrNull()
            case "path":
                job.path = try scanner.stringOrNull()
            case "url":
                job.url = try scanner.string()
            case "bytes":
                job.bytes = try scanner.integer()
            case "sha256":
                job.sha256 = try scanner.stringOrNull()
            case "source":
                job.source = try scanner.stringOrNull()
            case "item_key":
                job.itemKey = try scanner.stringOrNull()
            case "meta":
                if !scanner.isNull() {
                    job.meta = scanner.text(of: try scanner.skip())
                }
            case "created_at":
                job.createdAt = try scanner.string()
            case "finished_at":
                job.finishedAt = try scanner.stringOrNull()
            case "response":
                if !scanner.isNull() { try job.readResponse(&scanner) }
            case "error":
                if !scanner.isNull() { job.error = try Self.code(&scanner) }
            case "detection":
                if !scanner.isNull() { job.detection = try ExportedDetection(&scanner) }
            default:
                try scanner.skip()
            }
        }
        guard job.id > 0 else { throw NoJob() }
        self = job
    }

    private mutating func readResponse(_ scanner: inout JSONScanner) throws(NoJob) {
        var job = self
        try scanner.object { (scanner, key) throws(NoJob) in
            switch key {
            case "final_url":
                job.finalURL = try scanner.stringOrNull()
            case "last_modified":
                job.lastModified = try scanner.stringOrNull()
            case "content_type":
                job.contentType = try scanner.stringOrNull()
            case "etag":
                job.etag = try scanner.stringOrNull()
            default:
                try scanner.skip()
            }
        }
        self = job
    }

    private static func code(_ scanner: inout JSONScanner) throws(NoJob) -> String? {
        var code: String?
        try scanner.object { (scanner, key) throws(NoJob) in
            if key.spells("code") { code = try scanner.string() } else { try scanner.skip() }
        }
        return code
    }
}

extension ExportedDetection {
    init(_ scanner: inout JSONScanner) throws(NoJob) {
        var result = ExportedDetection()
        try scanner.object { (scanner, key) throws(NoJob) in
            switch key {
            case "outcome":
                result.outcome = try scanner.string()
            case "face_count":
                result.faceCount = try scanner.integerOrNull().map { Int(clamping: $0) }
            case "faces":
                try scanner.array { (scanner) throws(NoJob) in
                    result.faces.append(try ExportedFace(&scanner))
                }
            case "width":
                result.width = try scanner.integerOrNull().map { Int(clamping: $0) }
            case "height":
                result.height = try scanner.integerOrNull().map { Int(clamping: $0) }
            case "orientation":
                result.orientation = try scanner.integerOrNull().map { Int(clamping: $0) }
            case "format":
                result.format = try scanner.stringOrNull()
            case "fingerprint":
                result.fingerprint = try scanner.stringOrNull()
            case "turned":
                result.turned = try scanner.integerOrNull().map { Int(clamping: $0) }
            case "engine":
                result.engine = try scanner.string()
            default:
                try scanner.skip()
            }
        }
        self = result
    }
}

extension ExportedFace {
    init(_ scanner: inout JSONScanner) throws(NoJob) {
        var face = ExportedFace(box: Box(x: 0, y: 0, width: 0, height: 0), confidence: 0)
        try scanner.object { (scanner, key) throws(NoJob) in
            switch key {
            case "x":
                face.box.x = Int(clamping: try scanner.integer())
            case "y":
                face.box.y = Int(clamping: try scanner.integer())
            case "width":
                face.box.width = Int(clamping: try scanner.integer())
            case "height":
                face.box.height = Int(clamping: try scanner.integer())
            case "confidence":
                face.confidence = try scanner.number()
            case "landmarks":
                if !scanner.isNull() { face.landmarks = try Self.places(&scanner) }
            default:
                try scanner.skip()
            }
        }
        self = face
    }

    private static func places(_ scanner: inout JSONScanner) throws(NoJob) -> [Place] {
        var places: [Place] = []
        try scanner.array { (scanner) throws(NoJob) in
            var place = Place(x: 0, y: 0)
            try scanner.object { (scanner, key) throws(NoJob) in
                switch key {
                case "x":
                    place.x = try scanner.number()
                case "y":
                    place.y = try scanner.number()
                default:
                    try scanner.skip()
                }
            }
            places.append(place)
        }
        return places
    }
}
