import DetectorProtocol
import Foundation
import TestSupport
import Testing

@Suite struct FoundNetworkTests {
    private let directory: TemporaryDirectory
    private let better = network("better", "the better network")
    private let other = network("other", "the other one")

    init() throws { directory = try TemporaryDirectory() }

    private static func network(_ name: String, _ text: String) -> FaceNetwork {
        FaceNetwork(
            name: name,
            file: "\(name).onnx",
            sha256: FoundNetwork.sum(of: Array(text.utf8)),
            length: text.utf8.count,
            about: "",
            address: "",
            licence: ""
        )
    }

    private func find(_ folders: String...) -> FoundNetwork? {
        FoundNetwork.find(in: folders.map(directory.path), known: [better, other])
    }

    private func put(_ text: String, _ path: String) throws {
        let file = URL(filePath: directory.path(path))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    @Test("A network is known by its bytes, whatever its file is called")
    func anyName() throws {
        try put("the other one", "a/face.bin")
        #expect(find("a") == FoundNetwork(path: directory.path("a/face.bin"), network: other))
    }

    @Test("The better network is taken wherever it is, and of one network the file in the first folder")
    func best() throws {
        try put("the other one", "a/1")
        try put("the better network", "b/2")
        try put("the better network", "c/1")
        #expect(find("a", "b", "c")?.path == directory.path("b/2"))
        #expect(find("c", "b")?.path == directory.path("c/1"))
        #expect(find("a")?.network == other)
    }

    @Test("What isn't a known network's plain, finished file is none, and holds nobody up")
    func strangers() throws {
        try put("the other 0ne", "a/other.onnx")
        try put("the other one and more", "a/longer.onnx")
        try put("the other one", "a/.other.onnx.facefetch-1")
        try put("the better network", "a/folder.onnx/inside")
        #expect(mkfifo(directory.path("a/pipe.onnx"), 0o600) == 0)
        #expect(symlink("nowhere", directory.path("a/link.onnx")) == 0)
        #expect(find("a", "none") == nil)
    }

    @Test("Folders are looked at in this order; a user's own is by the XDG Base Directory Specification")
    func folders() {
        let machine = ["/usr/share/facefetch/models", "/usr/local/share/facefetch/models"]
        for (environment, own) in [
            (["HOME": "/home/a"], "/home/a/.local/share/facefetch/models"),
            (["HOME": "/home/a", "XDG_DATA_HOME": "/data"], "/data/facefetch/models"),
            (["HOME": "/home/a", "XDG_DATA_HOME": "data"], "/home/a/.local/share/facefetch/models"),
            (["XDG_DATA_HOME": ""], nil),
        ] as [([String: String], String?)] {
            #expect(NetworkFolders.own(environment: environment) == own)
            #expect(NetworkFolders.all(environment: environment) == machine + [own].compactMap(\.self))
        }
    }

    @Test("Each known network has a sum, a length, and an address that can't be listened in on")
    func table() {
        for network in FaceNetwork.all {
            #expect(network.sha256.utf8.count == 64 && network.length > 0)
            #expect(network.address.hasPrefix("https://") && network.address.hasSuffix("/" + network.file))
            #expect(FaceNetwork.known(sha256: network.sha256) == network)
        }
        #expect(Set(FaceNetwork.all.map(\.name)).count == FaceNetwork.all.count)
    }
}
