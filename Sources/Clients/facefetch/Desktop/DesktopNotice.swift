import Glibc

/// A notification on the desktop of the person who runs this command, by notify-send(1).
///
/// That program speaks to `org.freedesktop.Notifications` on the session bus, so none of that is needed here.
struct DesktopNotice {
    /// The line that says what it is about; desktops show it as it is.
    let summary: String
    /// The text below.
    let body: String

    /// The time that notify-send has, which itself gives a bus that doesn't answer 25 seconds.
    private static let limit = Duration.seconds(30)

    /// The program's arguments.
    var arguments: [String] {
        // The -- ends the options, so a text that begins with a dash is none.
        ["--app-name=facefetch", "--icon=image-x-generic", "--", summary.safeForTerminal, Self.plain(body)]
    }

    /// Returns a text that is shown as it is, whatever is in it.
    ///
    /// A body is markup (Desktop Notifications Specification 1.2, "Markup"), and notify-send takes what
    /// follows a backslash for an escape sequence (g_strcompress).
    static func plain(_ text: String) -> String {
        var plain = ""
        for character in text.safeForTerminal {
            switch character {
            case "&": plain += "&amp;"
            case "<": plain += "&lt;"
            case ">": plain += "&gt;"
            case "\"": plain += "&quot;"
            case "'": plain += "&apos;"
            case "\\": plain += "\\\\"
            default: plain.append(character)
            }
        }
        return plain
    }

    /// Shows it, or returns why that isn't possible.
    func show() -> String? {
        guard Self.hasSessionBus else {
            return "there is no session bus here (DBUS_SESSION_BUS_ADDRESS)"
        }
        do throws(RunningProgram.NotStarted) {
            let program = try RunningProgram(
                ["notify-send"] + arguments,
                environment: [:],
                input: [],
                timeout: nil,
                output: .nowhere
            )
            return Self.wait(for: program)
        } catch {
            guard error.number == ENOENT else {
                return "notify-send can't be run: \(String(cString: strerror(error.number)))"
            }
            return "notify-send is not installed (Debian has it in libnotify-bin)"
        }
    }

    private static func wait(for program: RunningProgram) -> String? {
        let deadline = ContinuousClock.now + limit
        // Looked at now and then: signals that say that a child has ended belong to whoever waits for files.
        while ContinuousClock.now < deadline {
            switch program.ending() {
            case .status(0): return nil
            case .status(1):
                return "notify-send ended with status 1, as it does where no desktop is on the session bus"
            case .status(let status): return "notify-send ended with status \(status)"
            case .signal(let signal): return "notify-send was ended by signal \(signal)"
            case nil: usleep(5000)
            }
        }
        program.sweep()
        return "notify-send did not end within \(limit)"
    }

    /// True if there is a bus that notify-send would find; it could start one that nobody listens to.
    private static var hasSessionBus: Bool {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return address.pointee != 0 }
        guard let directory = getenv("XDG_RUNTIME_DIR") else { return false }
        return access(String(cString: directory) + "/bus", R_OK | W_OK) == 0
    }
}
