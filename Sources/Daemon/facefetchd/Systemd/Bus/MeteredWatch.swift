import CLinux
import Foundation
import Glibc
import Logging
import Synchronization

/// Follows whether NetworkManager takes the machine's connection for one that is paid for by volume.
///
/// Without a system bus, or without NetworkManager on it, no connection counts as metered. Either may come,
/// go and come back at any time.
final class MeteredWatch: Sendable {
    private static let service = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    /// The signals that can change the answer: the property itself, and NetworkManager's coming and going.
    private static let rules = [
        "type='signal',sender='\(service)',path='\(path)',interface='org.freedesktop.DBus.Properties',"
            + "member='PropertiesChanged',arg0='\(service)'",
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(service)'",
    ]

    private let address: String?
    private let pause: Int32
    private let logger: Logger
    private let tell: @Sendable (Bool) -> Void
    private let state = Mutex(State())
    /// A bell that is rung once the watch is to end.
    private let end = CLinux_make_bell()

    private struct State {
        var isMetered = false
        /// The reason why nobody can be asked, as said last.
        var said: String?
        var isOver = false
    }

    /// Begins to follow, on a thread of its own.
    ///
    /// - Parameters:
    ///   - address: The address of the bus; nil for the system's.
    ///   - logger: Hears of it when nobody can be asked.
    ///   - pause: The time in milliseconds after which a bus that isn't there is looked for again.
    ///   - tell: Called, from that thread, when the answer becomes another; at first no connection is
    ///     metered.
    init(
        address: String? = nil,
        logger: Logger,
        pause: Int32 = 10_000,
        tell: @escaping @Sendable (Bool) -> Void
    ) {
        self.address = address
        self.logger = logger
        self.pause = pause
        self.tell = tell
        let thread = Thread { [self] in run() }
        thread.name = "ff-bus"
        thread.start()
    }

    deinit { close(end) }

    /// Ends it, without waiting; from here on no connection is metered.
    func stop() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            CLinux_ring(end)
            if state.isMetered { tell(false) }
        }
    }

    private func run() {
        while true {
            do throws(SystemBus.Failure) {
                try follow(SystemBus(address: address))
                return
            } catch {
                say("the system bus can't be used (\(error.words))")
                hear(false)
            }
            var waited = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, pause) <= 0 else { return }
        }
    }

    /// Follows what a bus says, until the end of the watch.
    private func follow(_ bus: SystemBus) throws(SystemBus.Failure) {
        for rule in Self.rules { try bus.listen(to: rule) }
        repeat { hear(try isMetered(bus)) } while try bus.waitForSignal(or: end)
    }

    private func isMetered(_ bus: SystemBus) throws(SystemBus.Failure) -> Bool {
        do throws(SystemBus.Failure) {
            let answer = try bus.number("Metered", of: Self.path, interface: Self.service, at: Self.service)
            state.withLock { $0.said = nil }
            // NMMetered: NM_METERED_YES and NM_METERED_GUESS_YES.
            return answer == 1 || answer == 3
        } catch {
            guard !error.isDisconnection else { throw error }
            say(
                error.isAbsence
                    ? "NetworkManager isn't running" : "NetworkManager doesn't answer (\(error.words))"
            )
            return false
        }
    }

    private func hear(_ isMetered: Bool) {
        state.withLock { state in
            guard !state.isOver, isMetered != state.isMetered else { return }
            state.isMetered = isMetered
            // Within the lock, so that answers come in their order.
            tell(isMetered)
        }
    }

    private func say(_ reason: String) {
        let isNew = state.withLock { state in
            defer { state.said = reason }
            return !state.isOver && state.said != reason
        }
        if isNew {
            logger.notice("\(reason): no connection counts as metered (transfer.on-metered)")
        }
    }
}
