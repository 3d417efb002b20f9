import ControlAPI
import Foundation
import TestSupport
import TestTraits
import Testing
import Vocabulary

/// Real photographs, from a real nginx, through the whole program.
@Suite(
    .enabled(if: LabelledPhotographs.shared != nil, "no labelled photographs; set FACEFETCH_PHOTOS"),
    .enabled(if: NginxServer.executable != nil, "nginx is not installed"),
    .ownThread
)
struct PhotographTests {
    @Test("Faces in photographs are found with precision 0.95 and recall 0.75 at the defaults")
    func photographs() async throws {
        let photographs = try #require(LabelledPhotographs.shared)
        let nginx = try NginxServer.start()
        defer { nginx.stop() }
        for image in photographs.images { try nginx.serve(photographs.bytes(image), at: image.file) }
        let installation = try Installation()
        let daemon = try await installation.startDaemon()
        let urls = photographs.images.map { nginx.url("/" + $0.file) }
        let added = try await Program.run(
            "facefetch",
            ["add", "--wait", "--json"] + urls,
            environment: ["FACEFETCH_SOCKET": installation.socket]
        )
        #expect(added.status == 0, "\(added.errors)")
        #expect(await daemon.stop() == 0)

        var (found, right, labelled) = (0, 0, 0)
        for (job, image) in zip(try installation.jobs(added), photographs.images) {
            #expect(job.name == image.file)
            let faces = try #require(job.detection?.faces)
            var left = image.faces
            for face in faces {
                guard let match = left.firstIndex(where: { overlap(face, $0) >= 0.3 }) else { continue }
                left.remove(at: match)
                right += 1
            }
            found += faces.count
            labelled += image.faces.count
        }
        #expect(Double(right) / Double(found) >= 0.95, "\(right) of the \(found) found")
        #expect(Double(right) / Double(labelled) >= 0.75, "\(right) of the \(labelled) labelled")
    }

    private func overlap(_ found: Face, _ label: [Int]) -> Double {
        let width = min(found.x + found.width, label[0] + label[2]) - max(found.x, label[0])
        let height = min(found.y + found.height, label[1] + label[3]) - max(found.y, label[1])
        let shared = Double(max(0, width) * max(0, height))
        return shared / (Double(found.width * found.height + label[2] * label[3]) - shared)
    }
}

/// Photographs with the boxes of their faces; no part of the project.
struct LabelledPhotographs: Decodable {
    struct Image: Decodable {
        var file: String
        var faces: [[Int]]
    }

    var images: [Image]
    private var folder = ""

    private enum CodingKeys: String, CodingKey {
        case images
    }

    func bytes(_ image: Image) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: folder + "/" + image.file)))
    }

    /// Those in the folder that FACEFETCH_PHOTOS names, or in `shared` next to the package.
    static let shared: LabelledPhotographs? = {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let folder =
            ProcessInfo.processInfo.environment["FACEFETCH_PHOTOS"]
            ?? package.appending(path: "../shared/photos").standardizedFileURL.path
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/labels.json")),
            var photographs = try? JSONDecoder().decode(LabelledPhotographs.self, from: data)
        else { return nil }
        photographs.folder = folder
        return photographs
    }()
}
