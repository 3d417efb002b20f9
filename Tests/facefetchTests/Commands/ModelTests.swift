import DetectorProtocol
import Foundation
import TestSupport
import Testing

@testable import facefetch

@Suite("facefetch model install")
struct ModelTests {
    private let directory: TemporaryDirectory
    private let origin: Origin
    private let bytes = Array("a network".utf8)

    init() throws {
        directory = try TemporaryDirectory()
        origin = try Origin.start()
    }

    private var network: FaceNetwork {
        FaceNetwork(
            name: "small",
            file: "small.onnx",
            sha256: FoundNetwork.sum(of: bytes),
            length: bytes.count,
            about: "is made up",
            address: origin.url("/small.onnx"),
            licence: "MIT"
        )
    }

    private func installation(in folder: String) throws -> NetworkInstallation {
        try NetworkInstallation(folder: directory.path(folder), known: [network])
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("A network is fetched through redirects, checked, and put into a new folder for everybody to read")
    func fetched() throws {
        defer { origin.stop() }
        origin.serve("/small.onnx") { _ in .redirect("/there") }
        origin.serve("/there", OriginFile(bytes))
        let installed = try installation(in: "a/models").install(network)
        #expect(installed.path == directory.path("a/models/small.onnx") && !installed.wasThere)
        #expect(try directory.read("a/models/small.onnx") == bytes)
        #expect(try mode(installed.path) == 0o644 && mode(directory.path("a/models")) == 0o755)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("a/models"))
        #expect(names == ["small.onnx"])
        #expect(FoundNetwork.find(in: [directory.path("a/models")], known: [network])?.path == installed.path)
        // Once it is there, nobody is asked for it.
        #expect(try installation(in: "a/models").install(network).wasThere)
        #expect(origin.requests("/small.onnx").count == 1)
    }

    @Test("What is something else is refused by its sum, and what was there before stays")
    func somethingElse() throws {
        defer { origin.stop() }
        origin.serve("/small.onnx", OriginFile(Array("a netw0rk".utf8)))
        _ = try directory.directory("models")
        let before = try directory.write(Array("what was there".utf8), to: "models/small.onnx")
        let failure = #expect(throws: ClientError.self) { try installation(in: "models").install(network) }
        #expect(failure?.message.contains("Nothing was installed") == true)
        #expect(failure?.message.contains(network.sha256) == true && failure?.status == .unsuccessful)
        #expect(try directory.read("models/small.onnx") == Array("what was there".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("models"))
        #expect(names == ["small.onnx"], "\(before)")
    }

    @Test(
        "What can't be fetched is said with the address, the reason and another way",
        arguments: [404, 500]
    )
    func refused(_ status: Int) throws {
        defer { origin.stop() }
        origin.serve("/small.onnx") { _ in OriginAnswer(status) }
        let failure = #expect(throws: ClientError.self) { try installation(in: "m").install(network) }
        let message = try #require(failure?.message)
        #expect(message.contains(network.address) && message.contains("the server says \(status)"))
        #expect(message.contains("--file small.onnx"))
        #expect(!FileManager.default.fileExists(atPath: directory.path("m")))
    }

    @Test("A server that isn't there, and one that never stops, are told as well")
    func unreachable() throws {
        let address = origin.url("/small.onnx")
        origin.serve("/endless", OriginFile([UInt8](repeating: 0, count: NetworkDownload.longest + 1)))
        let endless = #expect(throws: NetworkDownload.Failure.self) {
            try NetworkDownload.fetch(origin.url("/endless"))
        }
        #expect(endless?.reason.contains("more than 4 MiB") == true)
        origin.stop()
        let gone = #expect(throws: ClientError.self) { try installation(in: "m").install(network) }
        #expect(gone?.message.contains("can't be fetched from \(address)") == true)
        // Files of this machine aren't fetched.
        #expect(throws: NetworkDownload.Failure.self) { try NetworkDownload.fetch("file:///etc/hostname") }
    }

    @Test("A file is known by its sum, whatever it is called")
    func file() throws {
        defer { origin.stop() }
        let file = try directory.write(bytes, to: "download (1).bin")
        let installed = try installation(in: "m").install(file: file, as: nil)
        #expect(installed.network.name == "small" && installed.path == directory.path("m/small.onnx"))
        #expect(try directory.read("m/small.onnx") == bytes)
        let strange = try directory.write(Array("else".utf8), to: "else.onnx")
        #expect(throws: ClientError.self) { try installation(in: "m").install(file: strange, as: nil) }
        #expect(throws: ClientError.self) { try installation(in: "m").install(file: "/none", as: nil) }
        #expect(throws: ClientError.self) { try installation(in: "m").install(file: "/etc", as: nil) }
    }

    @Test("Root installs for the machine, everybody else for themselves")
    func folders() throws {
        defer { origin.stop() }
        func lines(_ folder: String) -> [String] {
            NetworkInstallation.Installed(network: network, path: folder + "/small.onnx", wasThere: false)
                .lines
        }
        #expect(lines(NetworkFolders.machine).last?.hasSuffix("systemctl reload facefetchd") == true)
        #expect(lines("/elsewhere").last?.hasSuffix("detection.model: /elsewhere/small.onnx") == true)
    }

    @Test(
        "Bad usage ends with 2",
        arguments: [
            ["magic"], ["--file", "a", "--url", "http://127.0.0.1/"], ["--to", ""],
            ["--url", "file:///etc/hostname"],
        ]
    )
    func usage(_ arguments: [String]) async throws {
        defer { origin.stop() }
        let result = try await ClientProcess.run(["model", "install"] + arguments)
        #expect(result.status == 2 && result.output.isEmpty, "\(result)")
    }

    @Test("The command says what is wrong, and ends with 1")
    func command() async throws {
        defer { origin.stop() }
        origin.serve("/n", OriginFile(bytes))
        let to = directory.path("m")
        let result = try await ClientProcess.run(
            ["model", "install", "yunet-n", "--url", origin.url("/n"), "--to", to]
        )
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.errors.contains("is not the network: its SHA-256 is \(network.sha256)"))
        #expect(!FileManager.default.fileExists(atPath: to))
    }

    @Test(
        "A network that is known is installed where a user's own daemon finds it",
        .enabled(if: model != nil, "no model; set FACEFETCH_MODELS")
    )
    func known() async throws {
        defer { origin.stop() }
        let model = try #require(Self.model)
        origin.serve("/n", OriginFile(Array(try Data(contentsOf: URL(filePath: model)))))
        // Root would install it for the machine.
        let to = directory.path("data/facefetch/models")
        let result = try await ClientProcess.run(
            ["model", "install", "--url", origin.url("/n"), "--to", to],
            environment: ["XDG_DATA_HOME": directory.path("data")]
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("yunet (MIT) was installed: \(to)/face_detection_yunet_2023mar.onnx"))
        #expect(result.output.contains("systemctl --user reload facefetchd"))
        let found = FoundNetwork.find(in: [to])
        #expect(found?.network == .yunet)
    }

    /// The network of OpenCV's collection, no part of the project.
    private static let model: String? = {
        let package = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let folder =
            ProcessInfo.processInfo.environment["FACEFETCH_MODELS"]
            ?? package.appending(path: "../shared/models").standardizedFileURL.path
        let path = folder + "/face_detection_yunet_2023mar.onnx"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()
}
