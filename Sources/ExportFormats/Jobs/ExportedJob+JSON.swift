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
            switch key.count {
            case 2 where key.spells("id"):
                job.id = try scanner.integer()
            case 5 where key.spells("batch"):
                job.batch = try scanner.integer()
            case 5 where key.spells("state"):
                job.state = try scanner.string()
            case 6 where key.spells("ending"):
                job.ending = try scanner.stringOrNull()
            case 5 where key.spells("ended"):
                job.ended = try scanner.integerOrNull()
            case 4 where key.spells("name"):
                job.name = try scanner.string()
            case 4 where key.spells("path"):
                job.path = try scanner.stringOrNull()
            case 3 where key.spells("url"):
                job.url = try scanner.string()
            case 5 where key.spells("bytes"):
                job.bytes = try scanner.integer()
            case 6 where key.spells("sha256"):
                job.sha256 = try scanner.stringOrNull()
            case 6 where key.spells("source"):
                job.source = try scanner.stringOrNull()
            case 8 where key.spells("item_key"):
                job.itemKey = try scanner.stringOrNull()
            case 4 where key.spells("meta"):
                if !scanner.isNull() {
                    job.meta = scanner.text(of: try scanner.skip())
                }
            case 10 where key.spells("created_at"):
                job.createdAt = try scanner.string()
            case 11 where key.spells("finished_at"):
                job.finishedAt = try scanner.stringOrNull()
            case 5 where key.spells("error"):
                if !scanner.isNull() { job.error = try Self.code(&scanner) }
            case 9 where key.spells("detection"):
                if !scanner.isNull() { job.detection = try ExportedDetection(&scanner) }
            default:
                try scanner.skip()
            }
        }
        guard job.id > 0 else { throw NoJob() }
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
            switch key.count {
            case 7 where key.spells("outcome"):
                result.outcome = try scanner.string()
            case 10 where key.spells("face_count"):
                result.faceCount = try scanner.integerOrNull().map { Int(clamping: $0) }
            case 5 where key.spells("faces"):
                try scanner.array { (scanner) throws(NoJob) in
                    result.faces.append(try ExportedFace(&scanner))
                }
            case 5 where key.spells("width"):
                result.width = try scanner.integerOrNull().map { Int(clamping: $0) }
            case 6 where key.spells("height"):
                result.height = try scanner.integerOrNull().map { Int(clamping: $0) }
            case 11 where key.spells("orientation"):
                result.orientation = try scanner.integerOrNull().map { Int(clamping: $0) }
            case 6 where key.spells("format"):
                result.format = try scanner.stringOrNull()
            case 6 where key.spells("engine"):
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
            switch key.count {
            case 1 where key.spells("x"):
                face.box.x = Int(clamping: try scanner.integer())
            case 1 where key.spells("y"):
                face.box.y = Int(clamping: try scanner.integer())
            case 5 where key.spells("width"):
                face.box.width = Int(clamping: try scanner.integer())
            case 6 where key.spells("height"):
                face.box.height = Int(clamping: try scanner.integer())
            case 10 where key.spells("confidence"):
                face.confidence = try scanner.number()
            case 9 where key.spells("landmarks"):
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
                switch key.count {
                case 1 where key.spells("x"):
                    place.x = try scanner.number()
                case 1 where key.spells("y"):
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
