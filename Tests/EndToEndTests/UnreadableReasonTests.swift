import ControlAPI
import PaintedPictures
import TestSupport
import TestTraits
import Testing

/// Tests of why a document could not be looked at, as people get to know it.
@Suite(.ownThread) struct UnreadableReasonTests {
    @Test("The reason is in the API, in the log and on a job's page, in words that no picture chooses")
    func told() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        let whole = try PaintedPicture(width: 300, height: 200).jpeg()
        origin.serve("/page.jpg", OriginFile(Array("<html>Please log in at example.com</html>".utf8)))
        origin.serve("/cut.jpg", OriginFile(Array(whole.prefix(whole.count / 2))))
        origin.serve("/whole.jpg", OriginFile(whole))
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = ["/page.jpg", "/cut.jpg", "/whole.jpg"].map { origin.url($0) }
        let list = try installation.directory.write(Array(urls.joined(separator: "\n").utf8), to: "urls")
        _ = try await installation.facefetch("add", "--wait", "--from", list)
        let jobs = try installation.jobs(try await installation.facefetch("list", "--json"))
        let reasons = Dictionary(uniqueKeysWithValues: jobs.map { ($0.name, $0.detection?.reason) })
        let page = "is not a JPEG, PNG, WebP, GIF, TIFF, HEIC, AVIF, JPEG XL, JPEG 2000, BMP or RAW picture"
        let cut = "is cut off or damaged: its decoder came to the end too soon"
        #expect(reasons["page.jpg"] == page && reasons["cut.jpg"] == cut)
        #expect(reasons["whole.jpg"] == .some(nil))
        let log = try await installation.facefetch("log")
        #expect(log.output.contains("failed face detection in \"page.jpg\": unreadable, \(page)\n"), "\(log)")
        let shown = try await installation.facefetch("show", "j2")
        #expect(shown.output.contains("unreadable: it \(cut) (haar"), "\(shown)")
        #expect(await daemon.stop() == 0)
    }
}
