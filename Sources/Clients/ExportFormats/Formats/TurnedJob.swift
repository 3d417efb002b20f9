/// Copies a job's JSON and converts everything in pixels to the picture as stored.
///
/// The rest is copied byte by byte, so that members which this program doesn't know are kept.
struct TurnedJob {
    private let json: [UInt8]
    private let detection: ExportedDetection
    private let orientation: Orientation
    private let upright: Size
    private var copied: Int
    /// The text so far.
    private(set) var text: [UInt8] = []

    /// Begins a copy of a text after its first `copied` bytes; the size of the result's picture has to be
    /// known.
    init(_ json: [UInt8], _ detection: ExportedDetection, copiedTo copied: Int) {
        self.json = json
        self.detection = detection
        self.copied = copied
        orientation = Orientation(exif: detection.orientation)
        upright = Size(width: detection.width ?? 0, height: detection.height ?? 0)
    }

    /// Copies everything before a place in the text.
    mutating func copy(to place: Int) {
        text.append(contentsOf: json[copied..<max(copied, place)])
        copied = max(copied, place)
    }

    /// Copies and converts the job at a place in the text.
    mutating func job(in place: Range<Int>) throws(NoJob) {
        try JSONScanner.read(json, in: place) { (scanner) throws(NoJob) in
            try scanner.object { (scanner, key) throws(NoJob) in
                if key.spells("detection") { try self.result(&scanner) } else { try scanner.skip() }
            }
        }
    }

    private mutating func result(_ scanner: inout JSONScanner) throws(NoJob) {
        if scanner.isNull() { return }
        let size = orientation.stored(upright)
        try scanner.object { (scanner, key) throws(NoJob) in
            if key.spells("width") {
                self.replace(try scanner.skip(), by: size.width)
            } else if key.spells("height") {
                self.replace(try scanner.skip(), by: size.height)
            } else if key.spells("faces") {
                var index = 0
                try scanner.array { (scanner) throws(NoJob) in
                    try self.face(index, &scanner)
                    index += 1
                }
            } else {
                try scanner.skip()
            }
        }
    }

    private mutating func face(_ index: Int, _ scanner: inout JSONScanner) throws(NoJob) {
        guard detection.faces.indices.contains(index) else { throw NoJob() }
        let box = orientation.stored(detection.faces[index].box.clamped(to: upright), in: upright)
        try scanner.object { (scanner, key) throws(NoJob) in
            if key.spells("landmarks") {
                if !scanner.isNull() {
                    try scanner.array { (scanner) throws(NoJob) in try self.point(&scanner) }
                }
                return
            }
            let place = try scanner.skip()
            if key.spells("x") {
                self.replace(place, by: box.x)
            } else if key.spells("y") {
                self.replace(place, by: box.y)
            } else if key.spells("width") {
                self.replace(place, by: box.width)
            } else if key.spells("height") {
                self.replace(place, by: box.height)
            }
        }
    }

    private mutating func point(_ scanner: inout JSONScanner) throws(NoJob) {
        let start = scanner.position
        var (x, y) = (0.0, 0.0)
        try scanner.object { (scanner, key) throws(NoJob) in
            if key.spells("x") {
                x = try scanner.number()
            } else if key.spells("y") {
                y = try scanner.number()
            } else {
                try scanner.skip()
            }
        }
        copy(to: start)
        let stored = orientation.stored(x: x, y: y, in: upright)
        text.add("{\"x\":")
        text.addNumber(stored.x)
        text.add(",\"y\":")
        text.addNumber(stored.y)
        text.append(UInt8(ascii: "}"))
        copied = scanner.position
    }

    private mutating func replace(_ place: Range<Int>, by number: Int) {
        copy(to: place.lowerBound)
        text.add(number)
        copied = place.upperBound
    }
}
