@testable import ExportFormats

/// Pages of jobs as the client reads them, and what exports make of them.
enum JobPageTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let page: ExportedPage
        do throws(NoJob) { page = try ExportedPage(bytes) } catch { return nil }
        for item in page.items {
            try promise(item.job.id > 0, "a job's id is \(item.job.id)")
            let place = item.place
            try promise(
                page.bytes.indices.contains(place.lowerBound) && place.upperBound <= page.bytes.count
                    && page.bytes[place.upperBound - 1] == UInt8(ascii: "}"),
                "a job is at \(place) of \(page.bytes.count)"
            )
            _ = item.job.metaText(of: "a")
            for coordinates in Coordinates.allCases {
                try checkLines(item, of: page, in: coordinates)
                if let picture = item.job.picture(in: coordinates) { try check(item.job, picture) }
            }
        }
        return page.items.first?.job.name
    }

    /// A job is one line, whatever its texts are; no cell of a table begins a formula, also where semicolons and tabs
    /// separate.
    private static func checkLines(
        _ item: ExportedPage.Item,
        of page: ExportedPage,
        in coordinates: Coordinates
    ) throws(BrokenPromise) {
        var json: [UInt8] = []
        if (try? JSONLinesFormat.write(item, of: page, in: coordinates, to: &json)) != nil {
            try promise(json.last == 0x0A && !json.dropLast().contains(0x0A), "a job has two lines of JSON")
        }
        var row: [UInt8] = []
        CSVFormat.write(item.job, in: coordinates, isRaw: false, to: &row)
        var (fields, field, isQuoted) = ([[UInt8]](), [UInt8](), false)
        for byte in row {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == UInt8(ascii: ",") {
                fields.append(field)
                field = []
            } else if byte != UInt8(ascii: "\"") {
                field.append(byte)
            }
        }
        try promise(!isQuoted && row.suffix(2).elementsEqual([0x0D, 0x0A]), "a row doesn't end")
        try promise(fields.count == CSVFormat.columns.count - 1, "a row has \(fields.count + 1) columns")
        let texts = zip(CSVFormat.columns, fields).filter { ["name", "path", "url", "meta"].contains($0.0) }
        for (column, field) in texts {
            let isDropped = field.first.map { "\t\r\n".utf8.contains($0) } ?? false
            try promise(!isDropped, "\(column) begins with what is dropped")
            for cell in field.split(whereSeparator: { ";\t\r\n".utf8.contains($0) }) {
                let isFormula = ["=", "+", "-", "@", "＝", "＋", "－", "＠"].contains {
                    cell.starts(with: $0.utf8)
                }
                try promise(!isFormula, "\(column) begins a formula")
            }
        }
    }

    /// Faces lie in their picture, and every format can be written.
    private static func check(_ job: ExportedJob, _ picture: ExportedPicture) throws(BrokenPromise) {
        for box in picture.faces.map(\.box) {
            let isInside =
                box.x >= 0 && box.y >= 0 && box.width > 0 && box.height > 0
                && box.x + box.width <= picture.size.width && box.y + box.height <= picture.size.height
            try promise(isInside, "\(box) lies outside of \(picture.size)")
        }
        var (coco, tasks) = (COCOFormat(in: picture.coordinates), LabelStudioFormat(in: picture.coordinates))
        var (text, boxes): ([UInt8], [UInt8]) = ([], [])
        coco.write(job, picture, images: &text, annotations: &boxes)
        tasks.write(job, picture, to: &text)
        Img2DatasetFormat.write(job, picture, to: &text)
        WIDERFormat.write(job, picture, to: &text)
        text += YOLOFormat.labels(picture)
        let names = WebDatasetFormat.names(job)
        try promise(!names.picture.contains("/") && names.picture.utf8.count <= 100, "\(names.picture)")
        if let sidecar = XMPSidecar.text(picture) {
            try promise(XMPSidecar.isOurs(sidecar), "a sidecar isn't known for ours")
        }
    }
}
