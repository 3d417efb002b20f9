import DetectorProtocol
import JobModel
import Vocabulary

/// The last request to a detector, by which its answer is judged.
struct Look: Sendable {
    /// The number that the answer must have.
    let number: Int64
    /// The document to look at.
    let request: DetectionRequest
    /// The detector's identity, according to its greeting.
    let detector: DetectorIdentity
    /// True if a thumbnail was asked for.
    var wantsThumbnail = false
    /// The time when the request was sent.
    let began: Duration
}

extension DetectionResult {
    /// Creates a result from a detector's answer after checking that it is possible.
    ///
    /// A detector has read bytes from strangers, who may speak through it, so its answer is checked like
    /// anything from a network. Whether there really are faces in those boxes can't be checked here, and
    /// costs one result.
    init(checking answer: DetectorResponse, to look: Look, now: Duration) throws(Misbehaviour) {
        guard answer.id == look.number else { throw Misbehaviour("an answer that nobody asked for") }
        guard answer.engine == look.detector.engine, answer.parameters == look.detector.parameters else {
            throw Misbehaviour("an answer by another engine than the one requested")
        }
        guard look.wantsThumbnail || answer.thumbnailLength == nil else {
            throw Misbehaviour("a thumbnail that nobody asked for")
        }
        var picture: SeenPicture?
        switch answer.outcome {
        case .unreadable:
            guard answer.faces.isEmpty, answer.looks == nil, answer.damaged == nil,
                answer.fingerprint == nil, answer.turned == nil, answer.thumbnailLength == nil
            else {
                throw Misbehaviour("faces in a picture that it can't read")
            }
        case .counted:
            guard answer.faces.count <= DetectorResponse.maximumFaceCount else {
                throw Misbehaviour(
                    "\(answer.faces.count) faces; at most \(DetectorResponse.maximumFaceCount) are allowed"
                )
            }
            let sides = SeenPicture.sides
            guard sides.contains(answer.width), sides.contains(answer.height) else {
                throw Misbehaviour("a picture of \(answer.width) x \(answer.height) pixels")
            }
            for face in answer.faces where !face.isPossible(in: answer) {
                throw Misbehaviour("a face outside the picture")
            }
            guard answer.turned.map({ TurnedLooks.angles.contains($0) && !answer.faces.isEmpty }) ?? true
            else {
                throw Misbehaviour("faces in a picture that is turned by no quarter turns")
            }
            guard answer.hasPossibleLooks else { throw Misbehaviour("looks at sizes that no look has") }
            picture = SeenPicture(
                width: answer.width,
                height: answer.height,
                orientation: answer.orientation ?? 0,
                format: answer.format ?? ""
            )
            picture?.isDamaged = answer.damaged == true
            picture?.fingerprint = try answer.checkedFingerprint()
            picture?.turned = answer.turned
            guard picture != nil else {
                throw Misbehaviour("a picture of an unknown format or orientation")
            }
        }
        self.init(
            outcome: answer.outcome == .counted ? .counted : .unreadable,
            faces: answer.faces,
            picture: picture,
            looks: answer.looks ?? [],
            reason: answer.outcome == .unreadable
                ? UnreadableReason.sentence(for: answer.message ?? "") : nil,
            engine: look.detector.engine,
            parameters: look.detector.parameters,
            seconds: (now - look.began).seconds
        )
    }
}

extension Face {
    /// Returns whether a face is possible: a box within the picture, and a number for its confidence.
    fileprivate func isPossible(in answer: DetectorResponse) -> Bool {
        // Compared by differences, since sums may overflow.
        x >= 0 && y >= 0 && width > 0 && height > 0
            && x < answer.width && y < answer.height
            && width <= answer.width - x && height <= answer.height - y
            && confidence.isFinite && confidence.magnitude <= 1e9
            && landmarks.map { places in
                places.count == Face.landmarkCount
                    && places.allSatisfy {
                        (0...answer.width).contains($0.x) && (0...answer.height).contains($0.y)
                    }
            } ?? true
    }
}

extension DetectorResponse {
    /// Returns the fingerprint, if there is one.
    ///
    /// Whether it is the picture's can't be checked here, and costs one result.
    fileprivate func checkedFingerprint() throws(Misbehaviour) -> Fingerprint? {
        guard let text = fingerprint else { return nil }
        guard let fingerprint = Fingerprint(hexadecimal: text) else {
            throw Misbehaviour("a fingerprint that isn't one")
        }
        return fingerprint
    }

    /// The most looks that a picture can have had: each is larger than the one before.
    private static let mostLooks = 8

    /// True if a picture can have been looked at in these sizes: each larger than the one before, and none
    /// larger than the picture.
    fileprivate var hasPossibleLooks: Bool {
        let looks = looks ?? []
        return looks.count <= Self.mostLooks && looks.allSatisfy { (1...max(width, height)).contains($0) }
            && zip(looks, looks.dropFirst()).allSatisfy(<)
    }
}

extension DetectorGreeting {
    /// The problem with the greeting; nil if there is none.
    var misbehaviour: Misbehaviour? {
        let engines = offer.engines
        guard version == Self.current, !engines.isEmpty else {
            return Misbehaviour("speaks version \(version), not \(Self.current)")
        }
        let names = Set(engines.compactMap { DetectionEngine(rawValue: $0.name) })
        // Each name must be unique, since an answer is judged by its engine's parameters.
        guard names.count == engines.count else {
            return Misbehaviour("names engines that this daemon doesn't know")
        }
        let parameters = engines.map(\.parameters)
        guard parameters.allSatisfy({ $0.utf8.count <= 1000 && $0.escapedForLog == $0 }) else {
            return Misbehaviour("describes its engines at too great a length or with invalid characters")
        }
        return nil
    }
}

extension Duration {
    /// The duration in seconds, rounded to a tenth of a millisecond.
    fileprivate var seconds: Double { ((self / .seconds(1)) * 10_000).rounded() / 10_000 }
}
