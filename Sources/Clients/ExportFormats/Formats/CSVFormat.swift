/// Comma-separated values (RFC 4180) for spreadsheets and scripts, with a row for each job.
///
/// New columns are only added at the end.
public enum CSVFormat {
    /// The heading, including the end of its line.
    public static let heading = Array(
        (columns.joined(separator: ",") + "\r\n").utf8
    )

    static let columns = [
        "job", "batch", "state", "outcome", "faces", "name", "path", "url", "bytes", "sha256", "width",
        "height",
        "orientation", "format", "engine", "boxes", "source", "item_key", "meta", "created_at", "finished_at",
        "error", "ended", "final_url", "last_modified", "content_type", "etag", "fingerprint", "turned",
    ]

    /// The place of the column with the number of an ending, from 0, by which an export is gone on with.
    public static let endedPlace = columns.firstIndex(of: "ended") ?? 0

    /// Adds a job's row, including the end of its line.
    ///
    /// - Parameters:
    ///   - job: The job. Fields that aren't known stay empty.
    ///   - coordinates: What width, height and boxes refer to.
    ///   - isRaw: Whether texts that a spreadsheet would take for formulas are left as they are.
    ///   - text: The text to add the row to.
    public static func write(
        _ job: ExportedJob,
        in coordinates: Coordinates,
        isRaw: Bool,
        to text: inout [UInt8]
    ) {
        let detection = job.detection
        let picture = job.picture(in: coordinates)
        var row = Row(text: text, isRaw: isRaw)
        text = []
        row.number(job.id)
        row.number(job.batch)
        row.field(job.state)
        row.field(detection?.outcome)
        row.number(detection?.faceCount)
        row.field(job.name)
        row.field(job.path)
        row.field(job.url)
        row.number(job.bytes)
        row.field(job.sha256)
        row.number(picture?.size.width ?? detection?.width)
        row.number(picture?.size.height ?? detection?.height)
        row.number(detection?.orientation)
        row.field(detection?.format)
        row.field(detection?.engine)
        row.boxes(boxes(of: job, picture, in: coordinates))
        row.field(job.source)
        row.field(job.itemKey)
        row.field(job.meta)
        row.field(job.createdAt)
        row.field(job.finishedAt)
        row.field(job.error)
        row.number(job.ended)
        row.field(job.finalURL)
        row.field(job.lastModified)
        row.field(job.contentType)
        row.field(job.etag)
        row.field(detection?.fingerprint)
        row.number(detection?.turned)
        row.text.removeLast()
        row.text += [0x0D, 0x0A]
        // Not to be changed after this: what both have would be copied, megabytes for each row.
        text = row.text
    }

    /// Returns the boxes of a counted picture; nil if they can't be converted because its size isn't known.
    private static func boxes(
        of job: ExportedJob,
        _ picture: ExportedPicture?,
        in coordinates: Coordinates
    ) -> [ExportedFace]? {
        if let picture { return picture.faces }
        guard let detection = job.detection, detection.isCounted else { return nil }
        return coordinates == .upright || detection.faces.isEmpty ? detection.faces : nil
    }

    private struct Row {
        var text: [UInt8]
        let isRaw: Bool

        mutating func number(_ number: (some BinaryInteger)?) {
            if let number { text.add(number) }
            text.append(UInt8(ascii: ","))
        }

        /// Adds a text, quoted if it has commas, quotes or line ends, and with an apostrophe wherever a
        /// spreadsheet would begin a formula, since strangers choose names.
        mutating func field(_ field: String?) {
            if var field { field.withUTF8 { bytes in add(bytes) } }
            text.append(UInt8(ascii: ","))
        }

        private mutating func add(_ field: UnsafeBufferPointer<UInt8>) {
            let places = isRaw ? [] : SpreadsheetText.places(in: field)
            // Without a way out of the loop, the compiler looks at many bytes at once.
            var special: UInt8 = 0
            for byte in field {
                special |=
                    (byte == 0x2C ? 1 : 0) | (byte == 0x22 ? 1 : 0) | (byte == 0x0D ? 1 : 0)
                    | (byte == 0x0A ? 1 : 0)
            }
            let isQuoted = special != 0
            if isQuoted { text.append(0x22) }
            var start = 0
            for place in places {
                add(field[start..<place], isQuoted: isQuoted)
                text.append(SpreadsheetText.apostrophe)
                start = place
            }
            add(field[start...], isQuoted: isQuoted)
            if isQuoted { text.append(0x22) }
        }

        private mutating func add(_ part: Slice<UnsafeBufferPointer<UInt8>>, isQuoted: Bool) {
            guard isQuoted else { return text.append(contentsOf: part) }
            for byte in part {
                if byte == 0x22 { text.append(0x22) }
                text.append(byte)
            }
        }

        mutating func boxes(_ faces: [ExportedFace]?) {
            if let faces {
                text += [0x22, UInt8(ascii: "[")]
                for (index, face) in faces.enumerated() {
                    text.add(index == 0 ? "[" as StaticString : ",[")
                    text.addBox(face.box)
                    text.append(UInt8(ascii: "]"))
                }
                text += [UInt8(ascii: "]"), 0x22]
            }
            text.append(UInt8(ascii: ","))
        }
    }
}

extension [UInt8] {
    /// Adds a box as x,y,width,height.
    mutating func addBox(_ box: Box) {
        add(box.x)
        append(UInt8(ascii: ","))
        add(box.y)
        append(UInt8(ascii: ","))
        add(box.width)
        append(UInt8(ascii: ","))
        add(box.height)
    }
}
