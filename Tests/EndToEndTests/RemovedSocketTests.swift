import Foundation
import Glibc
import TestSupport
import Testing

/// A control socket whose file somebody removes while the daemon runs.
@Suite(.timeLimit(.minutes(2)))
struct RemovedSocketTests {
    private let installation: Installation

    init() throws { installation = try Installation() }

    /// The lines of the kernel's table for sockets that listen at this path.
    private var listening: [Substring] {
        get throws {
            try String(contentsOfFile: "/proc/net/unix", encoding: .utf8).split(separator: "\n")
                .filter { $0.hasSuffix(" " + installation.socket) && $0.contains(" 00010000 ") }
        }
    }

    private var file: stat? {
        var status = stat()
        return lstat(installation.socket, &status) == 0 ? status : nil
    }

    @Test("It is there again after a reload, who was connected stays, and the one before is closed")
    func reload() async throws {
        let origin = try Origin.start()
        defer { origin.stop() }
        origin.serve("/a.jpg", OriginFile(seed: 1, count: 1000))
        let daemon = try await installation.startDaemon()
        var client = try HTTPClient(path: installation.socket)
        #expect(try await client.send("GET", "/v1/status").status == 200)
        var follower = try await EventClient(path: installation.socket)
        let before = try #require(file)
        let listened = try listening
        #expect(listened.count == 1 && unlink(installation.socket) == 0)

        let lost = try await installation.facefetch("doctor")
        #expect(lost.status == 3 && lost.errors.contains("somebody has removed its socket"), "\(lost.errors)")
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "was gone, and is there again") != nil)
        let after = try #require(file)
        #expect(after.st_mode == before.st_mode && after.st_gid == before.st_gid)
        let listens = try listening
        #expect(listens.count == 1 && listens != listened)
        #expect(try await installation.facefetch("add", "--wait", origin.url("/a.jpg")).status == 0)
        #expect(try await client.send("GET", "/v1/jobs/1").status == 200)
        #expect(try await follower.next() != nil)

        // Where it is there, a reload leaves it.
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "the settings have not changed") != nil)
        daemon.signal(SIGHUP)
        #expect(await daemon.errorLine(containing: "the settings have not changed") != nil)
        #expect(file?.st_ino == after.st_ino)
        #expect(await daemon.stop() == 0)
        #expect(file == nil)
    }

    @Test("Another daemon's socket in its place is left to it, by a reload as by the end")
    func rival() async throws {
        let daemon = try await installation.startDaemon()
        #expect(unlink(installation.socket) == 0)
        let other = try Installation()
        let flags = other.flags.map { $0 == other.socket ? installation.socket : $0 }
        let rival = try Program("facefetchd", flags)
        #expect(await rival.errorLine(containing: "ready:") != nil)
        let inode = try #require(file).st_ino
        daemon.signal(SIGHUP)
        let said = await daemon.errorLine(containing: "clients don't find this daemon")
        #expect(said?.contains("another process answers on \(installation.socket)") == true, "\(said ?? "")")
        #expect(await daemon.stop() == 0)
        #expect(file?.st_ino == inode)
        #expect(try await installation.facefetch("status").status == 0)
        #expect(await rival.stop() == 0)
    }

    /// Listens at a path, and has a program go on with that, as systemd does (sd_listen_fds(3)).
    private static let activation = """
        BEGIN { $^F = 99 }
        use Socket; use POSIX ();
        my $path = shift;
        socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die $!;
        bind($s, pack_sockaddr_un($path)) && listen($s, 10) or die $!;
        POSIX::dup2(fileno($s), 3);
        @ENV{"LISTEN_PID", "LISTEN_FDS"} = ($$, 1);
        exec @ARGV;
        """

    @Test(
        "One of systemd's is told to be that, with what makes it again",
        .enabled(if: Shell.find("perl") != nil, "needs perl")
    )
    func inherited() async throws {
        let daemon = try Program(
            try #require(Shell.find("perl")),
            ["-e", Self.activation, installation.socket, Program.directory + "/facefetchd"]
                + installation.flags
        )
        #expect(await daemon.errorLine(containing: "ready:") != nil)
        #expect(try await installation.facefetch("status").status == 0)
        #expect(unlink(installation.socket) == 0)
        daemon.signal(SIGHUP)
        let said = await daemon.errorLine(containing: "clients don't find this daemon")
        #expect(said?.contains("\"systemctl restart facefetchd.socket\"") == true, "\(said ?? "")")
        #expect(file == nil)
        #expect(await daemon.stop() == 0)
    }
}
