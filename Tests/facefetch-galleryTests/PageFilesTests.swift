import Foundation
import Testing

@testable import facefetch_gallery

@Suite("The files of the page")
struct PageFilesTests {
    @Test("a library that was fetched takes the place of what stands for it, and of nothing else")
    func library() throws {
        let folder = try Folder(["index.html": "page", "app.js": "app", "library/photoswipe.js": "none"])
        let library = try Folder(["photoswipe.js": "fetched", "app.js": "not the page's"])
        let plain = try #require(PageFiles(folder: folder.path))
        #expect(plain["/library/photoswipe.js"]?.bytes == Array("none".utf8))
        let files = try #require(PageFiles(folder: folder.path, library: library.path))
        #expect(files["/library/photoswipe.js"]?.bytes == Array("fetched".utf8))
        #expect(files["/app.js"]?.bytes == Array("app".utf8))
    }

    @Test("files of no known type, and hidden ones, are not served")
    func types() throws {
        let folder = try Folder([
            "index.html": "page", "jsconfig.json": "{}", ".secret.txt": "", "a/b.css": "",
        ])
        let files = try #require(PageFiles(folder: folder.path))
        #expect(files.paths == ["/", "/a/b.css"])
    }

    /// A folder of files, which goes with its owner.
    private final class Folder {
        let path: String

        init(_ files: [String: String]) throws {
            let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            for (name, text) in files {
                let file = root.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            path = root.path
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}
