/// How well found faces match labelled ones.
public struct Score {
    /// A box in pixels of the upright picture.
    public struct Box {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        /// A box by its upper left corner and its size.
        public init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Two boxes are the same face when their intersection over union is at least this.
    public static let overlap = 0.3

    private var right = 0
    private var found = 0
    private var labelled = 0

    /// Nothing counted yet.
    public init() {}

    /// Counts a picture: each labelled face is matched once, by the surest face first.
    public mutating func add(_ faces: [Box], labels: [[Int]]) {
        var left = labels
        for face in faces {
            let best = left.indices.max { Self.overlap(face, left[$0]) < Self.overlap(face, left[$1]) }
            guard let best, Self.overlap(face, left[best]) >= Self.overlap else { continue }
            left.remove(at: best)
            right += 1
        }
        found += faces.count
        labelled += labels.count
    }

    /// Of the faces found, the share that is one.
    public var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
    /// Of the faces there are, the share that was found.
    public var recall: Double { labelled == 0 ? 1 : Double(right) / Double(labelled) }
    /// The harmonic mean of both.
    public var f1: Double { right == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    private static func overlap(_ face: Box, _ label: [Int]) -> Double {
        guard label.count == 4 else { return 0 }
        let width = min(face.x + face.width, label[0] + label[2]) - max(face.x, label[0])
        let height = min(face.y + face.height, label[1] + label[3]) - max(face.y, label[1])
        guard width > 0, height > 0 else { return 0 }
        let common = Double(width * height)
        return common / (Double(face.width * face.height + label[2] * label[3]) - common)
    }
}
