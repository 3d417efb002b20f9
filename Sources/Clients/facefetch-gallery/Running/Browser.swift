import CLinux
import Glibc
import SmallFiles

/// The person's browser.
enum Browser {
    /// Opens a page in it, where there is a desktop; gives back the file that says where to go.
    ///
    /// The address has a token in it, which would be there for all users to see among the arguments of a
    /// process (proc(5)): so the browser is given a file that only this user can read.
    static func open(_ address: String, runtimeDirectory: String?) -> String? {
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil,
            let program = program(), let runtimeDirectory, !runtimeDirectory.isEmpty
        else { return nil }
        let folder = runtimeDirectory + "/facefetch"
        mkdir(folder, 0o700)
        let file = folder + "/gallery-\(getpid()).html"
        guard write(address, to: file) else { return nil }
        start(program, file)
        return file
    }

    private static func write(_ address: String, to file: String) -> Bool {
        unlink(file)
        let descriptor = Glibc.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let page =
            "<!doctype html><meta charset=utf-8><title>facefetch</title>"
            + "<meta http-equiv=refresh content=\"0;url=\(address)\"><a href=\"\(address)\">Open the gallery</a>\n"
        return (try? WholeFile.write(Array(page.utf8), to: descriptor)) != nil
    }

    private static func program() -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { $0 + "/xdg-open" }.first { access($0, X_OK) == 0 }
    }

    private static func start(_ program: String, _ file: String) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0..<Int32(3) {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // SwiftNIO's sockets would stay open in it: whoever has the one that listens keeps the port.
        CLinux_add_close_from(&actions, 3)
        // What is ignored here is ignored there, too, unless it is said; a browser has its own ways to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigfillset(&usual)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(file), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
    }
}
