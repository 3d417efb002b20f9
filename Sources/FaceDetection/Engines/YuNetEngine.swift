import CFaceDetect
import Crypto
import FoundationEssentials

/// Finds faces with YuNet, a small convolutional network.
///
/// A face's confidence is the root of the network's class score times its
/// objectness, from 0 to 1.
public final class YuNetEngine: FaceEngine {
    /// The SHA-256 of `face_detection_yunet_2023mar.onnx`, the only network whose outputs we can read.
    public static let modelSHA256 = "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"

    /// The name that results carry.
    public let name = "yunet"
    private let settings: YuNetSettings
    private let network: OpaquePointer

    /// Loads the network; throws when its file can't be read or is another one.
    public init(settings: YuNetSettings) throws(EngineFailure) {
        self.settings = settings
        CFaceDetect_use_one_thread()
        let model = try Self.read(settings.model)
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

    /// The square that the network looks at is what a picture is decoded into.
    public var workingSize: Int { Int(CFaceDetect_yunet_side()) }

    /// The network and what it was run with.
    public var parameters: String {
        "model=\(Self.modelSHA256.prefix(12)) size=\(workingSize) second=\(settings.secondPass) "
            + "confidence=\(settings.minimumConfidence) overlap=\(settings.maximumOverlap)"
    }

    /// The faces, the surest first.
    public func faces(in picture: Picture) throws(UnreadablePicture) -> [EngineBox] {
        var how = CFaceDetectYuNetSettings(
            minimum_confidence: settings.minimumConfidence,
            maximum_overlap: settings.maximumOverlap,
            second_pass: Int32(clamping: settings.secondPass)
        )
        return try ShimCall.find(in: picture) { picture, boxes, capacity, text, size in
            CFaceDetect_yunet_find(network, picture, &how, boxes, capacity, text, size)
        }
    }

    /// The bytes that are checked are the bytes that are loaded, whatever happens to the file.
    private static func read(_ path: String) throws(EngineFailure) -> [UInt8] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw EngineFailure("the model \(path) can't be read: \(error)")
        }
        let sum = SHA256.hash(data: data).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        guard sum == modelSHA256 else {
            throw EngineFailure(
                "the model \(path) has SHA-256 \(sum), not \(modelSHA256); "
                    + "use face_detection_yunet_2023mar.onnx from OpenCV's model zoo"
            )
        }
        return Array(data)
    }
}
