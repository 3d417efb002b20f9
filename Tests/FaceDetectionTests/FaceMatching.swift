import FaceDetection
import PaintedPictures
import Vocabulary

extension Face {
    /// Intersection over union with a painted face.
    func overlap(_ face: PaintedFace) -> Double { overlap([face.x, face.y, face.side, face.side]) }

    /// Intersection over union with a box of `[x, y, width, height]`.
    func overlap(_ box: [Int]) -> Double {
        let width = min(x + self.width, box[0] + box[2]) - max(x, box[0])
        let height = min(y + self.height, box[1] + box[3]) - max(y, box[1])
        guard width > 0, height > 0 else { return 0 }
        let common = Double(width * height)
        return common / (Double(self.width * self.height + box[2] * box[3]) - common)
    }
}

extension Detection {
    /// The faces, or nil where the document couldn't be looked at.
    var faces: [Face]? {
        seen?.faces
    }

    /// The findings, or nil if the document couldn't be looked at.
    var seen: Findings? {
        guard case .counted(let seen) = self else { return nil }
        return seen
    }

    /// The reason why the document couldn't be looked at.
    var reason: String? {
        guard case .unreadable(let reason) = self else { return nil }
        return reason
    }

    /// Returns whether exactly these faces were found, each box on its face.
    func finds(_ painted: [PaintedFace], overlap: Double = 0.4) -> Bool {
        guard let faces, faces.count == painted.count else { return false }
        return painted.allSatisfy { face in faces.contains { $0.overlap(face) >= overlap } }
    }
}
