import FaceDetection

/// How well found faces match labelled ones.
struct Score {
    /// Two boxes are the same face when their intersection over union is at least this.
    static let overlap = 0.3

    private(set) var right = 0
    private(set) var found = 0
    private(set) var labelled = 0

    /// Counts a picture: each labelled face is matched once, by the surest face first.
    mutating func add(_ faces: [FoundFace], labels: [[Int]]) {
        var left = labels
        for face in faces.sorted(by: { $0.confidence > $1.confidence }) {
            let best = left.indices.max { Self.overlap(face, left[$0]) < Self.overlap(face, left[$1]) }
            guard let best, Self.overlap(face, left[best]) >= Self.overlap else { continue }
            left.remove(at: best)
            right += 1
        }
        found += faces.count
        labelled += labels.count
    }

    var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
    var recall: Double { labelled == 0 ? 1 : Double(right) / Double(labelled) }
    var f1: Double { right == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    private static func overlap(_ face: FoundFace, _ label: [Int]) -> Double {
        guard label.count == 4 else { return 0 }
        let width = min(face.x + face.width, label[0] + label[2]) - max(face.x, label[0])
        let height = min(face.y + face.height, label[1] + label[3]) - max(face.y, label[1])
        guard width > 0, height > 0 else { return 0 }
        let common = Double(width * height)
        return common / (Double(face.width * face.height + label[2] * label[3]) - common)
    }
}
