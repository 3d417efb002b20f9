/// The agreement of found faces with labelled ones.
public struct Score: Sendable {
    /// A box in pixels of the upright picture.
    public struct Box: Sendable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
        var confidence: Double

        /// A box by its upper left corner and its size.
        public init(x: Int, y: Int, width: Int, height: Int, confidence: Double = 0) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.confidence = confidence
        }
    }

    /// Of the faces found, the share that is one; of those there are, the share that was found.
    public struct Rates: Sendable {
        /// Faces that were found.
        public var right = 0
        /// The number of faces that were found, rightly or wrongly.
        public var found = 0
        /// The faces there are.
        public var labelled = 0

        fileprivate mutating func count(isRight: Bool) {
            found += 1
            right += isRight ? 1 : 0
        }

        /// Of what was found, the share that is a face.
        public var precision: Double { found == 0 ? 1 : Double(right) / Double(found) }
        /// Of the faces there are, the share that was found.
        public var recall: Double { labelled == 0 ? 1 : Double(right) / Double(labelled) }
        /// The harmonic mean of both.
        public var f1: Double { right == 0 ? 0 : 2 * precision * recall / (precision + recall) }
    }

    /// A point of the curve: what the rates are where only what is at least this sure is counted.
    public struct Point: Sendable {
        /// The confidence.
        public var confidence: Double
        /// The precision there.
        public var precision: Double
        /// The recall there.
        public var recall: Double
    }

    /// Two boxes are the same face when their intersection over union is at least this.
    public static let overlap = 0.3

    private let overlap: Double
    /// All faces.
    public private(set) var all = Rates()
    private var sizes: [FaceSize: Rates] = [:]
    private var found: [(confidence: Double, isRight: Bool)] = []

    /// Nothing counted yet; two boxes are the same face from this intersection over union on.
    public init(overlap: Double = Score.overlap) { self.overlap = overlap }

    /// Counts a picture: each labelled face is matched once, by the surest face first.
    ///
    /// What is found where a face needn't be counts neither way. A face that is right has the size of its label, one that is wrong its own.
    public mutating func add(_ faces: [Box], labels: [[Int]], ignored: [[Int]] = []) {
        var left = labels
        for label in labels where label.count == 4 {
            sizes[FaceSize(height: label[3]), default: Rates()].labelled += 1
        }
        for face in faces {
            let best = left.indices.max { Self.overlap(face, left[$0]) < Self.overlap(face, left[$1]) }
            var size = FaceSize(height: face.height)
            var isRight = false
            if let best, Self.overlap(face, left[best]) >= overlap {
                size = FaceSize(height: left.remove(at: best)[3])
                isRight = true
            } else if ignored.contains(where: { Self.overlap(face, $0) >= overlap }) {
                continue
            }
            all.count(isRight: isRight)
            sizes[size, default: Rates()].count(isRight: isRight)
            found.append((face.confidence, isRight))
        }
        all.labelled += labels.count
    }

    /// Of the faces found, the share that is one.
    public var precision: Double { all.precision }
    /// Of the faces there are, the share that was found.
    public var recall: Double { all.recall }
    /// The harmonic mean of both.
    public var f1: Double { all.f1 }

    /// The faces of one size.
    public func rates(of size: FaceSize) -> Rates { sizes[size] ?? Rates() }

    /// Precision and recall at each confidence that was found, the highest first.
    public var curve: [Point] {
        var right = 0
        var points: [Point] = []
        for (index, face) in found.sorted(by: { $0.confidence > $1.confidence }).enumerated() {
            right += face.isRight ? 1 : 0
            let point = Point(
                confidence: face.confidence,
                precision: Double(right) / Double(index + 1),
                recall: Double(right) / Double(max(1, all.labelled))
            )
            if points.last?.confidence == face.confidence { points.removeLast() }
            points.append(point)
        }
        return points
    }

    private static func overlap(_ face: Box, _ label: [Int]) -> Double {
        guard label.count == 4 else { return 0 }
        let width = min(face.x + face.width, label[0] + label[2]) - max(face.x, label[0])
        let height = min(face.y + face.height, label[1] + label[3]) - max(face.y, label[1])
        guard width > 0, height > 0 else { return 0 }
        let common = Double(width * height)
        return common / (Double(face.width * face.height + label[2] * label[3]) - common)
    }
}
