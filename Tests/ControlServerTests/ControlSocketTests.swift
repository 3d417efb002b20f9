import Glibc
import TestSupport
import Testing

@testable import ControlServer

@Suite("The socket itself")
struct ControlSocketTests {
    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("it is bound with its mode, in a directory made for it, and takes its file with it")
    func binds() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a/b/control.sock"
            var socket: ControlSocket? = try ControlSocket.bind(path: path)
            #expect(mode(path) == 0o660)
            #expect(mode(directory + "/a/b") & 0o007 == 0)
            _ = try UnixConnection(path: path)
            withExtendedLifetime(socket) {}
            socket = nil
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test("a copy listens on when the one before has gone, and the last takes the file with it")
    func copies() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            var kept: ControlSocket? = try ControlSocket.bind(path: path)
            var served = try kept?.copy()
            close(try #require(served?.takeDescriptor()))
            served = nil
            _ = try UnixConnection(path: path)
            served = try kept?.copy()
            kept = nil
            _ = try UnixConnection(path: path)
            withExtendedLifetime(served) {}
            served = nil
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test("a path on which another answers is left to it")
    func inUse() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            let first = try ControlSocket.bind(path: path)
            #expect(throws: ControlSocketError.inUse(path)) { try ControlSocket.bind(path: path) }
            _ = try UnixConnection(path: path)
            withExtendedLifetime(first) {}
        }
    }

    @Test("a socket file left over from a crash is replaced")
    func stale() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            let descriptor = try #require(try ControlSocket.bind(path: path + "x").takeDescriptor())
            // What a crash leaves behind: the file, and nobody who listens.
            let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let address = try #require(SocketAddress(path: path))
            #expect(address.withPointer { bind(left, $0, $1) } == 0)
            close(left)
            close(descriptor)
            let socket = try ControlSocket.bind(path: path)
            _ = try UnixConnection(path: path)
            withExtendedLifetime(socket) {}
        }
    }

    @Test("a file that somebody has removed is noticed, and what has its place is left alone")
    func removed() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            var first: ControlSocket? = try ControlSocket.bind(path: path)
            #expect(first?.hasFile == true && first?.inheritedPath == nil)
            unlink(path)
            #expect(first?.hasFile == false)
            var second: ControlSocket? = try ControlSocket.bind(path: path)
            #expect(first?.hasFile == false && second?.hasFile == true)
            first = nil
            _ = try UnixConnection(path: path)
            second?.giveUpFile()
            second = nil
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test("a file that is no socket is never touched, and paths too long are named")
    func refuses() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/file"
            close(open(path, O_CREAT | O_WRONLY, 0o600))
            #expect(throws: ControlSocketError.notASocket(path)) { try ControlSocket.bind(path: path) }
            #expect(access(path, F_OK) == 0)
            let long = directory + "/" + String(repeating: "x", count: 108)
            #expect(throws: ControlSocketError.pathTooLong(long)) { try ControlSocket.bind(path: long) }
            #expect(throws: ControlSocketError.self) { try ControlSocket.bind(path: path + "/below/s") }
        }
    }

    @Test("an inherited socket is served as one of our own, and its file stays")
    func adopts() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            let address = try #require(SocketAddress(path: path))
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(address.withPointer { bind(descriptor, $0, $1) } == 0)
            #expect(throws: ControlSocketError.notListening(descriptor)) {
                try ControlSocket.adopt(descriptor: descriptor)
            }
            listen(descriptor, 5)
            var socket: ControlSocket? = try ControlSocket.adopt(descriptor: descriptor)
            _ = try UnixConnection(path: path)
            #expect(socket?.hasFile == true && socket?.inheritedPath == path)
            rename(path, path + ".old")
            #expect(socket?.hasFile == false)
            rename(path + ".old", path)
            socket = nil
            #expect(access(path, F_OK) == 0)
            #expect(throws: ControlSocketError.self) { try ControlSocket.adopt(descriptor: 0) }
        }
    }
}
