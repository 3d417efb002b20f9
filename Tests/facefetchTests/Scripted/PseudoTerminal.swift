import Foundation
import Glibc

/// A terminal window that a test looks at.
final class PseudoTerminal: Sendable {
    /// All that was written to it.
    let transcript: Transcript
    /// The path at which the client opens it.
    let clientPath: String
    private let ownEnd: Int32
    // Held open until the client has it, lest the window be closed.
    private let clientEnd: Int32

    /// Opens a window of this size.
    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        var (own, client): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&own, &client, nil, nil, &size) == 0, let name = ttyname(client) else {
            throw POSIXError(.ENXIO)
        }
        for end in [own, client] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (ownEnd, clientEnd) = (own, client)
        clientPath = String(cString: name)
        transcript = Transcript(reading: fcntl(own, F_DUPFD_CLOEXEC, 0))
    }

    deinit { close(ownEnd) }

    /// Makes the window another size; the client hears of it by SIGWINCH.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(ownEnd, UInt(TIOCSWINSZ), &size)
    }

    /// Presses keys.
    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(ownEnd, bytes, bytes.count)
    }

    /// The terminal's modes, to see that they are as they were.
    var modes: tcflag_t {
        var attributes = termios()
        tcgetattr(ownEnd, &attributes)
        return attributes.c_lflag
    }

    /// Lets go of the client's end, once the client has it.
    func closeClientEnd() { close(clientEnd) }
}
