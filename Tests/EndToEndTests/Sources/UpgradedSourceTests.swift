import ControlAPI
import Foundation
import TestSupport
import Testing

/// Tests of what a recipe upgrades to https, over TLS.
struct UpgradedSourceTests {
    /// The file that libcurl trusts, as Debian builds it.
    private static let trusted = "/etc/ssl/certs/ca-certificates.crt"
    private static let unshare = Shell.find("unshare")
    private static var isPossible: Bool {
        unshare != nil && geteuid() == 0 && TestCertificate.isPossible && NginxServer.executable != nil
            && FileManager.default.fileExists(atPath: trusted)
    }

    @Test(
        "With insecure: upgrade, manifest, pages and pictures that are named with http come over https",
        .enabled(if: isPossible, "needs root, nginx and openssl, to be trusted by the daemon alone")
    )
    func upgraded() async throws {
        let certificate = try TestCertificate()
        let nginx = try NginxServer.start(certificate: (certificate.file, certificate.key))
        defer { nginx.stop() }
        // Plainly http everywhere; the server takes nothing but TLS.
        let base = "http://127.0.0.1:\(nginx.port)"
        for folder in ["manifests", "rovers/curiosity"] {
            let path = "\(nginx.root)/api/v1/\(folder)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let manifest = #"{"photo_manifest":{"photos":[{"sol":1,"total_photos":1}]}}"#
        try nginx.serve(Array(manifest.utf8), at: "api/v1/manifests/curiosity")
        let page =
            #"{"photos":[{"id":1,"img_src":"\#(base)/1.jpg","camera":{"name":"A"},"rover":{"name":"B"}}]}"#
        try nginx.serve(Array(page.utf8), at: "api/v1/rovers/curiosity/photos")
        try nginx.serve(Array("picture".utf8), at: "1.jpg")

        let installation = try Installation()
        let script = "mount --bind \"$0\" \(Self.trusted) && exec \"$@\""
        let daemon = try Program(
            try #require(Self.unshare),
            ["--mount", "/bin/sh", "-c", script, certificate.file, Program.directory + "/facefetchd"]
                + installation.flags,
            environment: Installation.plain
        )
        try #require(await daemon.errorLine(containing: "ready:") != nil, "\(daemon.heardErrors)")
        try await installation.addSource(try RecipeBook.text("mission", at: base), "mission")
        let source = try #require(
            try await installation.source("mission") { $0.state.code == .idle || $0.lastError != nil }
        )
        #expect(source.lastError == nil && source.new == 1, "\(source.lastError?.message ?? "")")
        let job = try #require(try await installation.settledJobs().first)
        #expect(job.url == "https://127.0.0.1:\(nginx.port)/1.jpg" && job.state == .stored, "\(job)")
        #expect(try installation.document("1.jpg") == Array("picture".utf8))
        #expect(await daemon.stop() == 0)
    }
}
