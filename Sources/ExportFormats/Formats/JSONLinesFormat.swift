/// JSON Lines: each job as the control socket has it, and `coordinates`, which says what its boxes are of.
public enum JSONLinesFormat {
    /// Adds a job's line, with its end.
    ///
    /// What a newer daemon says beyond what this program knows stays in it.
    ///
    /// - Parameters:
    ///   - item: The job, of this page.
    ///   - page: The page.
    ///   - coordinates: What boxes, landmarks, width and height are to be of.
    ///   - text: What the line is added to.
    /// - Throws: ``NoJob`` where the item is none of the page's.
    public static func write(
        _ item: ExportedPage.Item,
        of page: ExportedPage,
        in coordinates: Coordinates,
        to text: inout [UInt8]
    ) throws(NoJob) {
        try write(page.bytes, item.place, item.job, in: coordinates, to: &text)
    }

    static func write(
        _ json: [UInt8],
        _ place: Range<Int>,
        _ job: ExportedJob,
        in coordinates: Coordinates,
        to text: inout [UInt8]
    ) throws(NoJob) {
        guard let open = json[place].firstIndex(of: UInt8(ascii: "{")) else { throw NoJob() }
        let start = open + 1
        // Boxes of a picture whose size isn't known can't be turned, and stay what they are.
        let detection = job.detection
        let isKnown = (detection?.width ?? 0) > 0 && (detection?.height ?? 0) > 0
        let isTurned = coordinates == .stored && (isKnown || detection?.faces.isEmpty ?? true)
        text.add("{\"coordinates\":\"")
        text.add(isTurned ? Coordinates.stored.rawValue : Coordinates.upright.rawValue)
        text.add("\",")
        if isTurned, isKnown, let detection {
            var turn = TurnedJob(json, detection, copiedTo: start)
            try turn.job(in: place)
            turn.copy(to: place.upperBound)
            text.append(contentsOf: turn.text)
        } else {
            text.append(contentsOf: json[start..<place.upperBound])
        }
        text.append(UInt8(ascii: "\n"))
    }
}
