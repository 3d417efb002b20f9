/// JSON Lines: each job as on the control socket, and `coordinates`, which says what its boxes refer to.
public enum JSONLinesFormat {
    /// Adds a job's line, including its end.
    ///
    /// Members that only a newer daemon knows are kept.
    ///
    /// - Parameters:
    ///   - item: The job, which has to be on the page.
    ///   - page: The page.
    ///   - coordinates: What boxes, landmarks, width and height are to refer to.
    ///   - text: The text to add the line to.
    /// - Throws: ``NoJob`` if the item isn't on the page.
    public static func write(
        _ item: ExportedPage.Item,
        of page: ExportedPage,
        in coordinates: Coordinates,
        to text: inout [UInt8]
    ) throws(NoJob) {
        try write(page.bytes, item.place, item.job, in: coordinates, to: &text)
    }

    /// Returns the coordinates that a line was asked for in; nil if it would be the same in either.
    public static func coordinates(of line: [UInt8], _ job: ExportedJob) -> Coordinates? {
        if line.starts(with: beginning(in: .stored)) { return .stored }
        return line.starts(with: beginning(in: .upright)) && canBeTurned(job) ? .upright : nil
    }

    private static func beginning(in coordinates: Coordinates) -> [UInt8] {
        Array("{\"coordinates\":\"\(coordinates.rawValue)\",".utf8)
    }

    private static func canBeTurned(_ job: ExportedJob) -> Bool {
        hasSize(job) || job.detection?.faces.isEmpty ?? true
    }

    private static func hasSize(_ job: ExportedJob) -> Bool {
        [job.detection?.width, job.detection?.height].allSatisfy {
            ExportedPicture.sides.contains($0 ?? 0)
        }
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
        // Without the size of the picture, boxes can't be converted, and stay upright.
        let detection = job.detection
        let isTurned = coordinates == .stored && canBeTurned(job)
        text += beginning(in: isTurned ? .stored : .upright)
        if isTurned, hasSize(job), let detection {
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
