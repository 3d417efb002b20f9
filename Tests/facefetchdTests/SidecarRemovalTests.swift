import ExportFormats
import Settings
import Sidecars
import TestSupport
import Testing

@testable import facefetchd

@Suite("Sidecars of documents that are removed")
struct SidecarRemovalTests {
    @Test("go while the settings have sidecars written, whether or not that has begun")
    func removed() throws {
        let directory = try TemporaryDirectory()
        var job = ExportedJob(id: 1)
        (job.name, job.path, job.bytes) = ("a.jpg", try directory.write([1], to: "a.jpg"), 1)
        var detection = ExportedDetection()
        (detection.outcome, detection.width, detection.height) = ("counted", 40, 40)
        detection.faces = [ExportedFace(box: Box(x: 0, y: 0, width: 20, height: 20), confidence: 1)]
        job.detection = detection
        #expect(try SidecarPlace(temporaryName: "new").put(job, unless: { _ in false }) == .written)
        let path = try #require(job.path)
        func remove(_ kind: String) throws -> [String] {
            var flags = SettingsFlags()
            flags.documentsDirectory = directory.path
            let settings = try DaemonSettings.load(
                flags: flags,
                environment: ["HOME": "/home/ann", "FACEFETCH_DOCUMENTS_SIDECAR": kind],
                configFile: nil
            )
            settings.removeSidecar(of: path) { _ in false }
            return try directory.names()
        }
        #expect(try remove("none").contains("a.jpg.xmp"))
        #expect(try remove("xmp") == ["a.jpg"])
    }
}
