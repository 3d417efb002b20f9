import Vocabulary

/// Puts together what two looks at a picture have found, each face once.
///
/// What was almost too small for the earlier look is left to the later one, which sees it better: its
/// boxes are closer, and it takes back what was none. What was large enough stays, and the later look
/// adds nothing of that size, since large parts of a picture look like faces now and then.
struct FaceMerge {
    /// Two boxes are of one face where they share more than this of what they cover together.
    private static let overlap = 0.3
    /// And so they are where one lies in the other with more than this of it.
    private static let inside = 0.7

    /// Of both, the surest first.
    static func merge(_ earlier: [Face], with later: [Face]) -> [Face] {
        var kept: [Face] = []
        for face in (earlier + later).sorted(by: { $0.confidence > $1.confidence })
        where !kept.contains(where: { isSame(face, $0) }) {
            kept.append(face)
        }
        return kept
    }

    /// Returns whether two boxes are of one face.
    static func isSame(_ a: Face, _ b: Face) -> Bool {
        let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
        guard width > 0, height > 0 else { return false }
        let common = Double(width) * Double(height)
        let (first, second) = (Double(a.width) * Double(a.height), Double(b.width) * Double(b.height))
        return common > (first + second - common) * overlap || common > min(first, second) * inside
    }
}
