import DetectorProtocol
import Foundation

/// Photographs and a model that aren't part of the project: tests that need them are skipped without.
enum SharedFiles {
    /// The folder of labelled photographs.
    static let photos = folder("FACEFETCH_PHOTOS", beside: "photos", holding: "labels.json")
    /// A network for yunet.
    static let model = network("face_detection_yunet_2023mar.onnx")
    /// All networks that yunet knows and that are there.
    static let models = FaceNetwork.all.compactMap { network($0.file) }

    private static func network(_ name: String) -> String? {
        folder("FACEFETCH_MODELS", beside: "models", holding: name).map { $0 + "/" + name }
    }

    /// The folder that a variable names, or the one in `shared` next to the package.
    private static func folder(_ variable: String, beside name: String, holding file: String) -> String? {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let folder =
            ProcessInfo.processInfo.environment[variable]
            ?? package.appending(path: "../shared/" + name).standardizedFileURL.path
        return FileManager.default.fileExists(atPath: folder + "/" + file) ? folder : nil
    }
}
