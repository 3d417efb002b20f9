import FaceDetection
import PaintedPictures

extension FoundFace {
    /// Intersection over union with a painted face.
    func overlap(_ face: PaintedFace) -> Double {
        let width = min(x + self.width, face.x + face.side) - max(x, face.x)
        let height = min(y + self.height, face.y + face.side) - max(y, face.y)
        guard width > 0, height > 0 else { return 0 }
        let common = Double(width * height)
        return common / (Double(self.width * self.height + face.side * face.side) - common)
    }
}

extension Detection {
    /// The faces, or nil where the document couldn't be looked at.
    var faces: [FoundFace]? {
        guard case .counted(let faces, _, _) = self else { return nil }
        return faces
    }

    /// Why the document couldn't be looked at.
    var reason: String? {
        guard case .unreadable(let reason) = self else { return nil }
        return reason
    }

    /// Whether exactly these faces were found, each box on its face.
    func finds(_ painted: [PaintedFace], overlap: Double = 0.4) -> Bool {
        guard let faces, faces.count == painted.count else { return false }
        return painted.allSatisfy { face in faces.contains { $0.overlap(face) >= overlap } }
    }
}
